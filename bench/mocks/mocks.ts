/** A mock that somebody else's server makes: how it is started, and how the suite is told of it. */
export type Mock = {
  name: string
  /** relative to this folder; PORT stands for the port */
  command: string
  args: string[]
  base: (port: number) => string
  settings: Record<string, string>
}

const people = {
  ACTOR_ID: '0d5f2f2e-9a51-4b2f-8a4b-5d7f7f9d2a11',
  USER_IDS: '3e7a1c64-27f4-4a35-bb0e-91f1a6a0c522,3e7a1c64-27f4-4a35-bb0e-91f1a6a0c523',
  TEAM_IDS: '84d6eb72-f236-462b-83ac-39ba94bf6c0d,e5872318-451c-41f2-a90c-38b283cb2d0d',
}
const task = '5b0f9a52-3c1e-4a57-9d2b-0c6f1f4e7a1'
const one = {
  API_KEY: 'mock-key-1234567890',
  TASK_IDS: `${task}0`,
  ASSESSMENT_IDS: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  ...people,
}

const jar = 'node_modules/wiremock/build/wiremock-standalone-3.13.2.jar'

export const mocks: Mock[] = [
  {
    name: 'prism',
    command: 'node_modules/.bin/prism',
    args: ['mock', '../../schemas/openapi.yaml', '--port', 'PORT'],
    base: (port) => `http://127.0.0.1:${port}`,
    settings: one,
  },
  {
    name: 'mockoon',
    command: 'node_modules/.bin/mockoon-cli',
    args: ['start', '--data', 'mockoon.json', '--port', 'PORT', '--disable-log-to-file'],
    base: (port) => `http://127.0.0.1:${port}/v5`,
    settings: { ...one, TASK_IDS: `${task}0,${task}1`, READ_TASK_IDS: `${task}2` },
  },
  {
    name: 'wiremock',
    command: 'java',
    args: ['-jar', jar, '--port', 'PORT', '--root-dir', '.', '--no-request-journal'],
    base: (port) => `http://127.0.0.1:${port}/v5`,
    settings: one,
  },
]
