import { type MailStage, type SendOutcome, type ServerWords } from '@adapters/mail';
import { jittered, seeded } from '../decide/seed';
import { refusalVerdict } from './refusal.verdict';

const MINUTE_MS = 60_000;

/** Waits before the second to the fifth attempt. */
const RETRY_AFTER_MINUTES = [1, 5, 15, 60] as const;

/** Attempts in all. */
export const MAX_ATTEMPTS = RETRY_AFTER_MINUTES.length + 1;

/** How long a mailbox rests when its server will not talk to us at the moment. */
const MAILBOX_REST_MS = 5 * MINUTE_MS;

/** What an attempt leads to. */
export type Verdict =
  | { readonly kind: 'sent'; readonly providerMessageId: string | null; readonly providerThreadId: string | null }
  /** Nothing was given and it is nobody's fault: the lead is due again, the email is taken from the budget no more. */
  | {
      readonly kind: 'release';
      readonly reason: string;
      readonly mailboxFailed: boolean;
      readonly restUntil: Date | null;
    }
  | { readonly kind: 'retry'; readonly at: Date; readonly reason: string; readonly restUntil: Date | null }
  /** Refused for good; who is at fault decides what happens to the lead. */
  | { readonly kind: 'bounced'; readonly reason: string }
  | { readonly kind: 'stop_mailbox'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly flagsCampaign: boolean }
  | { readonly kind: 'ambiguous'; readonly reason: string; readonly lookAt: Date };

/** Before the server was asked about this email: any other email of the mailbox would have met the same. */
const BEFORE_THE_EMAIL: ReadonlySet<MailStage> = new Set([
  'busy',
  'address',
  'resolve',
  'connect',
  'tls',
  'greeting',
  'login',
]);

/** What to do about the outcome of an attempt. Pure: the same outcome always means the same. */
export function judgeOutcome(
  outcome: SendOutcome,
  { attempt, sendId, now }: { attempt: number; sendId: string; now: Date },
): Verdict {
  switch (outcome.kind) {
    case 'accepted':
      return {
        kind: 'sent',
        providerMessageId: outcome.providerMessageId,
        providerThreadId: outcome.providerThreadId,
      };
    case 'withheld':
      return {
        kind: 'release',
        reason: 'It was withheld before it was given away',
        mailboxFailed: false,
        restUntil: null,
      };
    case 'ambiguous':
      return { kind: 'ambiguous', reason: outcome.message, lookAt: after(now, MINUTE_MS) };
    case 'needs-human':
      return { kind: 'release', reason: outcome.message, mailboxFailed: true, restUntil: after(now, MAILBOX_REST_MS) };
    case 'temporary': {
      const restUntil = outcome.retryAfterMs === null ? null : after(now, outcome.retryAfterMs);
      if (BEFORE_THE_EMAIL.has(outcome.stage)) {
        const isBusy = outcome.stage === 'busy';
        return {
          kind: 'release',
          reason: outcome.message,
          mailboxFailed: !isBusy,
          restUntil: restUntil ?? after(now, isBusy ? MINUTE_MS : MAILBOX_REST_MS),
        };
      }
      return retried(outcome.message, { attempt, sendId, now, restUntil });
    }
    case 'permanent':
      return refused(outcome);
  }
}

function retried(
  reason: string,
  { attempt, sendId, now, restUntil }: { attempt: number; sendId: string; now: Date; restUntil: Date | null },
): Verdict {
  const minutes = RETRY_AFTER_MINUTES[attempt - 1];
  if (minutes === undefined) {
    return { kind: 'failed', reason: `After ${attempt} attempts: ${reason}`, flagsCampaign: false };
  }
  const backOff = after(now, jittered(minutes * MINUTE_MS, seeded(sendId, 'retry', attempt)));
  return { kind: 'retry', at: restUntil && restUntil > backOff ? restUntil : backOff, reason, restUntil };
}

function refused({ stage, message, words }: { stage: MailStage; message: string; words: ServerWords | null }): Verdict {
  if (BEFORE_THE_EMAIL.has(stage)) return { kind: 'stop_mailbox', reason: message };
  switch (refusalVerdict({ stage, words })) {
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

function after(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}
