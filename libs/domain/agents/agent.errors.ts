import { AppError, conflict, defineError, limitExceeded, notFound } from '@platform/errors';
import { type Spent } from './asking/model.question';

const LLM_NOT_CONFIGURED = defineError(
  'LLM_NOT_CONFIGURED',
  'conflict',
  'No language model is configured (LLM_MODEL): nothing can be written.',
  'needs-human',
);
const LLM_BUDGET_USED_UP = defineError(
  'LLM_BUDGET_USED_UP',
  'conflict',
  'The workspace has used what it may ask of the language model today (UTC).',
);
const AGENTS_SWITCHED_OFF = defineError(
  'AGENTS_SWITCHED_OFF',
  'conflict',
  'The agents of the workspace are switched off: nothing is written and nothing goes out until they are switched on again.',
);
const AGENT_ANSWER_UNUSABLE = defineError(
  'AGENT_ANSWER_UNUSABLE',
  'upstream',
  'The language model answered, but not as it was asked to.',
  'permanent',
);

/** The model answered, and nothing of it can be used. It was paid for all the same: whoever asked keeps what it said. */
export class UnusableAnswer extends AppError {
  constructor(
    readonly spent: Spent,
    message = 'The language model did not answer as it was asked to',
  ) {
    super(AGENT_ANSWER_UNUSABLE, message);
  }
}

/** What was spent on answers that are of no use; null for other failures, and when there was no answer that could be read. */
export function spentInVain(error: unknown): Spent | null {
  return error instanceof UnusableAnswer && error.spent.unused.length > 0 ? error.spent : null;
}

export const unknownAgent = () => notFound('Agent');
export const modelNotConfigured = () =>
  new AppError(LLM_NOT_CONFIGURED, 'No language model is configured: the operator has to name one (LLM_MODEL)');
export const modelBudgetUsedUp = () =>
  new AppError(LLM_BUDGET_USED_UP, 'The workspace has used what it may ask of the language model today (UTC)');
export const agentsSwitchedOff = () =>
  new AppError(AGENTS_SWITCHED_OFF, 'The agents of the workspace are switched off');
export const inactiveAgent = () => conflict('The agent is inactive: activate it first');

/** @param most agents that a workspace may have */
export const tooManyAgents = (most: number) =>
  limitExceeded(`A workspace may have ${most} agents; delete one that is no longer needed`);
