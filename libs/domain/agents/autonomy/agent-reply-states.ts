/**
 * `planned`: waits for its time; `writing`: the model is asked; `awaiting_approval`: waits for a person; `scheduled`:
 * is sent at its time; `handed`: a reply of the inbox, under the mailbox's limits; `sent`: accepted by the server;
 * `cancelled`: withdrawn, or left to people; `rejected`: by a person; `failed`: could not be written or sent;
 * `expired`: too late.
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

/** States before the handover to the inbox. */
export const CANCELLABLE_STATES = [
  'planned',
  'writing',
  'awaiting_approval',
  'scheduled',
] as const satisfies readonly AgentReplyState[];
/** States that are not final. */
export const OPEN_STATES = [...CANCELLABLE_STATES, 'handed'] as const;

/**
 * Why a reply is not sent, or not yet: for programs; `reason` explains it to people. `agent`: inactive, deleted or no
 * longer autonomous; `switch`; `label`: no longer chosen; `stop_word`; `answered`: a person of the workspace replied;
 * `elsewhere`: Reply-To names an address outside the thread; `newer`: the other side wrote again; `suppressed`; `lead`:
 * deleted, or not to be contacted; `thread_limit`: too many replies in this thread; `silence`: a follow-up that is no
 * longer due; `left`: the model left it to people; `model`: no answer, or an unusable one; `hours`, `daily_limit`,
 * `labelling`: later; `mailbox`: it cannot send; `delivery`: not sent; `person`: a person decided; `time`: too late.
 */
export const REPLY_CAUSES = [
  'agent',
  'kill_switch',
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

/** The reason for programs and for people. */
export interface ReplyReason {
  readonly cause: ReplyCause;
  /** One sentence. */
  readonly reason: string;
}
