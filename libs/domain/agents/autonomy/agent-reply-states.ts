/**
 * `planned`: waits for its time; `writing`: the model is asked; `awaiting_approval`: a person has to look at it; `scheduled`: goes
 * out at its time; `handed`: a reply of the inbox, under the mailbox's limits; `sent`: its server has it; `cancelled`: taken back,
 * or left to people; `rejected`: a person said no; `failed`: it could not be written or sent; `expired`: its time passed.
 */
export const AGENT_REPLY_STATES = [
  'planned',
  'writing',
  'awaiting_approval',
  'scheduled',
  'handed',
  'sent',
  'cancelled',
  'rejected',
  'failed',
  'expired',
] as const;
export type AgentReplyState = (typeof AGENT_REPLY_STATES)[number];

/** Nothing of it is with the inbox yet. */
export const CANCELLABLE_STATES = [
  'planned',
  'writing',
  'awaiting_approval',
  'scheduled',
] as const satisfies readonly AgentReplyState[];
/** Something is still to be done about it. */
export const OPEN_STATES = [...CANCELLABLE_STATES, 'handed'] as const;

/**
 * Why it is not sent, or not yet: for programs; `reason` says it in words.
 * `agent`: inactive, deleted or not autonomous any more; `switch`; `label`: not chosen any more; `stop_word`; `answered`: a person of
 * the workspace writes; `elsewhere`: replies are wanted at the address of somebody who takes no part; `newer`: the other side wrote again; `suppressed`; `lead`: the lead is gone or out of bounds; `thread_limit`:
 * enough was written in this thread; `silence`: a follow-up that is not to be; `left`: the model left it to people; `model`: it did not
 * answer, or not as it has to; `hours`, `daily_limit`, `labelling`: later; `mailbox`: it cannot send; `delivery`: not sent;
 * `person`: somebody said so; `time`: too late.
 */
export const REPLY_CAUSES = [
  'agent',
  'switch',
  'label',
  'stop_word',
  'answered',
  'elsewhere',
  'newer',
  'suppressed',
  'lead',
  'thread_limit',
  'silence',
  'left',
  'model',
  'hours',
  'daily_limit',
  'labelling',
  'mailbox',
  'delivery',
  'person',
  'time',
] as const;
export type ReplyCause = (typeof REPLY_CAUSES)[number];

/** Why, for programs and for people. */
export interface ReplyReason {
  readonly cause: ReplyCause;
  /** One sentence. */
  readonly reason: string;
}
