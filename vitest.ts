// The public interface for a user's own vitest: import { contractTests } from 'task-assignment-contract/vitest'
export {
  type Choice,
  contractTags,
  contractTests,
  type Target,
} from './program/contract-tests.ts'
