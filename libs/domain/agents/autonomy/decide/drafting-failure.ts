import { LlmError } from '@adapters/llm';
import { AppError } from '@platform/errors';
import { type ReplyReason } from '../agent-reply-states';

/** Times that a reply is begun to be written, all in all. */
export const MAX_WRITINGS = 5;
const MINUTE_MS = 60_000;
/** Wait before the second time, four times as long before each one after that. */
const PAUSE_MS = MINUTE_MS;
/** Wait when somebody has to look after the model first: its key, its account, its name. */
const REPAIR_PAUSE_MS = 15 * MINUTE_MS;
const DAY_MS = 86_400_000;

/** `again`: at `at`, and whether the time before counts; `over`: it ends like this. */
export type AfterFailure =
  | ({ readonly kind: 'again'; readonly at: Date; readonly counts: boolean } & ReplyReason)
  | ({ readonly kind: 'over'; readonly state: 'failed' | 'cancelled' } & ReplyReason);

/**
 * What follows when a reply could not be written. null for what is no failure of the model: that is not ours to judge.
 * @param attempts times that it was begun, this one included
 */
export function decideAfterFailure(error: unknown, now: Date, attempts: number): AfterFailure | null {
  if (error instanceof LlmError) return decideAfterModelFailure(error, now, attempts);
  if (!(error instanceof AppError)) return null;
  switch (error.code) {
    case 'AGENTS_SWITCHED_OFF':
      return {
        kind: 'over',
        state: 'cancelled',
        cause: 'switch',
        reason: 'The agents of the workspace are switched off',
      };
    case 'LLM_NOT_CONFIGURED':
      return {
        kind: 'again',
        at: addMilliseconds(now, REPAIR_PAUSE_MS),
        counts: false,
        cause: 'model',
        reason: error.message,
      };
    case 'LLM_BUDGET_USED_UP':
      return { kind: 'again', at: getTomorrow(now), counts: false, cause: 'model', reason: error.message };
    case 'AGENT_ANSWER_UNUSABLE':
      return { kind: 'over', state: 'failed', cause: 'model', reason: error.message };
    default:
      return null;
  }
}

function decideAfterModelFailure(error: LlmError, now: Date, attempts: number): AfterFailure {
  const why = { cause: 'model', reason: `The language model did not answer: ${error.reason}` } as const;
  if (error.failure === 'permanent' || attempts >= MAX_WRITINGS) return { kind: 'over', state: 'failed', ...why };
  const pauseMs = error.failure === 'needs-human' ? REPAIR_PAUSE_MS : PAUSE_MS * 4 ** (attempts - 1);
  return { kind: 'again', at: addMilliseconds(now, Math.max(pauseMs, error.retryAfterMs ?? 0)), counts: true, ...why };
}

/** Budgets are counted by the day in UTC. */
function getTomorrow(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);
}

function addMilliseconds(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}
