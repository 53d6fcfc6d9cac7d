import { AppError, conflict, defineError, limitExceeded, notFound } from '@platform/errors';

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

export const unknownAgent = () => notFound('Agent');
export const modelNotConfigured = () =>
  new AppError(LLM_NOT_CONFIGURED, 'No language model is configured: the operator has to name one (LLM_MODEL)');
export const modelBudgetUsedUp = () =>
  new AppError(LLM_BUDGET_USED_UP, 'The workspace has used what it may ask of the language model today (UTC)');
export const agentsSwitchedOff = () =>
  new AppError(AGENTS_SWITCHED_OFF, 'The agents of the workspace are switched off');
/** @param fault the broken rule, as the predicate of “it …” */
export const answerUnusable = (fault: string) =>
  new AppError(AGENT_ANSWER_UNUSABLE, `What the language model wrote ${fault}`);
export const inactiveAgent = () => conflict('The agent is inactive: activate it first');

/** @param most maximum number of agents of a workspace */
export const tooManyAgents = (most: number) =>
  limitExceeded(`A workspace may have ${most} agents; delete one that is no longer needed`);
