import { type MailStage, type NotAccepted, type SendOutcome, type ServerReply } from '@adapters/mail';
import { type Cooldown } from '@domain/sends';
import { jittered, seeded } from '../decide/seed';
import { refusalVerdict } from './refusal-verdict';

const MINUTE_MS = 60_000;

/** Delays before the second to the fifth attempt. */
const RETRY_AFTER_MINUTES = [1, 5, 15, 60] as const;

/** Maximum number of attempts. */
export const MAX_ATTEMPTS = RETRY_AFTER_MINUTES.length + 1;

/** Cooldown of a mailbox whose server cannot be reached. */
const MAILBOX_COOLDOWN_MS = 5 * MINUTE_MS;

/** Minimum cooldowns after consecutive refusals; the first applies when the server itself names a wait. */
const COOLDOWN_MINUTES = [0, 5, 10, 20, 40, 60] as const;

/** A mailbox that its server refuses for this long without an accepted email is stopped for a person to check. */
const MAX_COOLDOWN_MS = 3 * 24 * 60 * MINUTE_MS;

/** The outcome of an attempt. */
export type Verdict =
  | { readonly kind: 'sent'; readonly providerMessageId: string | null; readonly providerThreadId: string | null }
  /** Nothing was handed over, and the cause is not the email: the lead is due again and the budget is restored. */
  | {
      readonly kind: 'release';
      readonly reason: string;
      readonly mailboxFailed: boolean;
      readonly cooldownUntil: Date | null;
      /** The cooldown that is stored with the mailbox for later runs. */
      readonly cooldown: Cooldown | null;
    }
  | { readonly kind: 'retry'; readonly at: Date; readonly reason: string }
  /** Refused permanently; the cause decides what happens to the lead. */
  | { readonly kind: 'bounced'; readonly reason: string }
  | { readonly kind: 'stop_mailbox'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly flagsCampaign: boolean }
  | { readonly kind: 'ambiguous'; readonly reason: string; readonly resolveAt: Date };

/** Stages before the server knows this email: any other email of the mailbox would have failed in the same way. */
const BEFORE_THE_EMAIL: ReadonlySet<MailStage> = new Set([
  'busy',
  'address',
  'resolve',
  'connect',
  'tls',
  'greeting',
  'login',
]);

/** The facts for the decision about an attempt. */
export interface Attempted {
  /** Number of attempts of the email, including this one. */
  readonly attempt: number;
  readonly sendId: string;
  /** The mailbox's cooldown before this attempt; null once its server has accepted an email. */
  readonly cooldown: Cooldown | null;
  readonly now: Date;
}

/** Decides the consequences of an outcome. Pure: the same input always gives the same verdict. */
export function decideSendOutcome(outcome: SendOutcome, attempted: Attempted): Verdict {
  const { now } = attempted;
  switch (outcome.kind) {
    case 'accepted':
      return {
        kind: 'sent',
        providerMessageId: outcome.providerMessageId,
        providerThreadId: outcome.providerThreadId,
      };
    case 'withheld':
      return toRelease('The email was withheld before its handover', { mailboxFailed: false, cooldownUntil: null });
    case 'ambiguous':
      return { kind: 'ambiguous', reason: outcome.message, resolveAt: addMilliseconds(now, MINUTE_MS) };
    case 'needs-human':
      return toRelease(outcome.message, {
        mailboxFailed: true,
        cooldownUntil: addMilliseconds(now, MAILBOX_COOLDOWN_MS),
      });
    case 'temporary':
      if (concernsSender(outcome)) return toCooldown(outcome, attempted);
      if (!BEFORE_THE_EMAIL.has(outcome.stage)) return toRetry(outcome.message, attempted);
      return toRelease(outcome.message, {
        mailboxFailed: outcome.stage !== 'busy',
        cooldownUntil: addMilliseconds(
          now,
          outcome.retryAfterMs ?? (outcome.stage === 'busy' ? MINUTE_MS : MAILBOX_COOLDOWN_MS),
        ),
      });
    case 'permanent':
      return toRefusal(outcome);
  }
}

/**
 * Tells whether the server defers all mail of the mailbox, for any recipient. It refuses MAIL FROM, names a wait,
 * limits requests (429), or fails itself before the handover (HTTP 5xx).
 */
function concernsSender({ stage, lastReply, retryAfterMs }: NotAccepted): boolean {
  if (stage === 'busy') return false;
  if (stage === 'sender' || retryAfterMs !== null) return true;
  return !BEFORE_THE_EMAIL.has(stage) && /^(429|5\d\d)$/.test(lastReply?.code ?? '');
}

/** The lead keeps its attempts. The mailbox's cooldown grows with each refusal, and sending stops after three days. */
function toCooldown({ stage, message, retryAfterMs }: NotAccepted, { cooldown, now }: Attempted): Verdict {
  const since = cooldown?.since ?? now;
  if (now.getTime() - since.getTime() >= MAX_COOLDOWN_MS) {
    return { kind: 'stop_mailbox', reason: `For three days now: ${message}` };
  }
  const count = (cooldown?.count ?? 0) + 1;
  const least = COOLDOWN_MINUTES[Math.min(retryAfterMs === null ? count : count - 1, COOLDOWN_MINUTES.length - 1)] ?? 0;
  const until = addMilliseconds(now, Math.max(retryAfterMs ?? 0, least * MINUTE_MS));
  const mailboxFailed = BEFORE_THE_EMAIL.has(stage);
  return {
    ...toRelease(message, { mailboxFailed, cooldownUntil: until }),
    cooldown: { until, reason: message, count, since },
  };
}

function toRelease(
  reason: string,
  { mailboxFailed, cooldownUntil }: { mailboxFailed: boolean; cooldownUntil: Date | null },
): Extract<Verdict, { kind: 'release' }> {
  return { kind: 'release', reason, mailboxFailed, cooldownUntil, cooldown: null };
}

function toRetry(reason: string, { attempt, sendId, now }: Attempted): Verdict {
  const minutes = RETRY_AFTER_MINUTES[attempt - 1];
  if (minutes === undefined) {
    return { kind: 'failed', reason: `After ${attempt} attempts: ${reason}`, flagsCampaign: false };
  }
  return {
    kind: 'retry',
    at: addMilliseconds(now, jittered(minutes * MINUTE_MS, seeded(sendId, 'retry', attempt))),
    reason,
  };
}

function toRefusal({
  stage,
  message,
  lastReply,
}: {
  stage: MailStage;
  message: string;
  lastReply: ServerReply | null;
}): Verdict {
  if (BEFORE_THE_EMAIL.has(stage)) return { kind: 'stop_mailbox', reason: message };
  switch (refusalVerdict({ stage, lastReply })) {
    case 'recipient':
      return { kind: 'bounced', reason: message };
    case 'sender':
      return { kind: 'stop_mailbox', reason: message };
    case 'content':
      return { kind: 'failed', reason: message, flagsCampaign: true };
    case 'unclear':
      return { kind: 'failed', reason: message, flagsCampaign: false };
  }
}

function addMilliseconds(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}
