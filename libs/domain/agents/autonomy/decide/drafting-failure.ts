import { LlmError } from '@adapters/llm';
import { AppError } from '@platform/errors';
import { type ReplyReason } from '../agent-reply-states';

/** Maximum number of attempts to write a reply. */
export const MAX_WRITINGS = 5;
const MINUTE_MS = 60_000;
/** Delay before the second attempt, four times as long before each further one (milliseconds). */
const PAUSE_MS = MINUTE_MS;
/** Delay when the operator has to fix the model first: its key, account or name (milliseconds). */
const REPAIR_PAUSE_MS = 15 * MINUTE_MS;
const DAY_MS = 86_400_000;

/** `again`: retry at `at`, and whether this attempt counts; `over`: the reply ends. */
export type AfterFailure =
  | ({ readonly kind: 'again'; readonly at: Date; readonly counts: boolean } & ReplyReason)
  | ({ readonly kind: 'over'; readonly state: 'failed' | 'cancelled' } & ReplyReason);

/**
 * Decides what follows a failed attempt; null for errors that are not failures of the model.
 * @param attempts number of attempts, including this one
 */
export function decideAfterDraftingFailure(error: unknown, now: Date, attempts: number): AfterFailure | null {
  if (error instanceof LlmError) return decideAfterModelFailure(error, now, attempts);
  if (!(error instanceof AppError)) return null;
  switch (error.code) {
    case 'AGENTS_SWITCHED_OFF':
      return {
        kind: 'over',
        state: 'cancelled',
        cause: 'kill_switch',
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

/** Budgets count by the day in UTC. */
function getTomorrow(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);
}

function addMilliseconds(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}
