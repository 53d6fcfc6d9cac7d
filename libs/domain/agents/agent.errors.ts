import { AppError, conflict, defineError, limitExceeded, notFound } from '@platform/errors';

const LLM_NOT_CONFIGURED = defineError(
  'LLM_NOT_CONFIGURED',
  'conflict',
  'No language model is configured (LLM_MODEL), so that nothing can be written.',
  'needs-human',
);
const LLM_BUDGET_USED_UP = defineError(
  'LLM_BUDGET_USED_UP',
  'conflict',
  'The workspace has used its budget of the language model for today (UTC).',
);
const AGENTS_SWITCHED_OFF = defineError(
  'AGENTS_SWITCHED_OFF',
  'conflict',
  'The agents of the workspace are switched off: nothing is written or sent until they are switched on again.',
);
const AGENT_ANSWER_UNUSABLE = defineError(
  'AGENT_ANSWER_UNUSABLE',
  'upstream',
  'The answer of the language model was not usable.',
  'permanent',
);

export const unknownAgent = () => notFound('Agent');
export const modelNotConfigured = () =>
  new AppError(LLM_NOT_CONFIGURED, 'No language model is configured: the operator has to set LLM_MODEL');
export const modelBudgetUsedUp = () =>
  new AppError(LLM_BUDGET_USED_UP, 'The workspace has used its budget of the language model for today (UTC)');
export const agentsSwitchedOff = () =>
  new AppError(AGENTS_SWITCHED_OFF, 'The agents of the workspace are switched off');
/** @param fault the broken rule, as the predicate of “it …” */
export const answerUnusable = (fault: string) =>
  new AppError(AGENT_ANSWER_UNUSABLE, `The text of the language model ${fault}`);
export const inactiveAgent = () => conflict('The agent is inactive: activate it first');

/** @param most maximum number of agents of a workspace */
export const tooManyAgents = (most: number) =>
  limitExceeded(`A workspace may have ${most} agents; delete one that is no longer needed`);
