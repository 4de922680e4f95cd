import { runProgram } from './prove.ts'
import { startOddService } from './strangers/odd-service.ts'
const service = await startOddService({ seed: 3 })
const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey, TASK_IDS: service.taskIds.join(','), READ_TASK_IDS: service.readTaskIds.join(','), ASSESSMENT_IDS: service.assessmentIds.join(','), ACTOR_ID: service.actorId, USER_IDS: service.userIds.join(','), TEAM_IDS: service.teamIds.join(','), SEED: '3' }
const checked = await runProgram(env, process.argv.slice(2))
console.log(checked.told, checked.exitCode)
await service.close()
