import { type Reply } from '@adapters/mail';
import { type ProbeAnswer } from '../port/mailbox-probe.port';
import { type ProbeFailureError } from './probe-failure.errors';
import { type ReplyVerdict } from './reply-classification';

/** Retry interval of greylisting without a stated time: most servers ask for one to five minutes. */
const GREYLISTED_MS = 300_000;
const BUSY_MS = 60_000;
/** Retry interval after failures without a reply. */
const SILENT_MS = 900_000;
/** Bounds of a retry time that a server states. */
const LEAST_HINT_MS = 30_000;
const LONGEST_HINT_MS = 4 * 3_600_000;

const MAX_RESPONSE = 500;
/** Characters that would break a single line of text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

export interface ProbeReply {
  readonly host: string;
  readonly reply: Reply;
  readonly verdict: ReplyVerdict;
  readonly catchAll: boolean | null;
  /** Remaining cooldown of the provider in milliseconds. */
  readonly cooldownMs: number;
}

export function toReplyAnswer({ host, reply, verdict, catchAll, cooldownMs }: ProbeReply): ProbeAnswer {
  return {
    kind: verdict.kind,
    catchAll,
    host,
    code: reply.code === null ? null : String(reply.code),
    enhancedCode: reply.enhancedCode,
    response: reply.text.replaceAll(UNPRINTABLE, ' ').trim().slice(0, MAX_RESPONSE),
    retryAfterMs: getRetryAfterMs(verdict, cooldownMs),
  };
}

/** @param host null when no host was reached */
export function toFailureAnswer({ kind, message }: ProbeFailureError, host: string | null): ProbeAnswer {
  const retryAfterMs = kind === 'protocol' ? null : SILENT_MS;
  return { kind, catchAll: null, host, code: null, enhancedCode: null, response: message, retryAfterMs };
}

/** The answer without a probe, because of the limits of the provider. */
export function toPausedAnswer(freeInMs: number): ProbeAnswer {
  return {
    kind: 'busy',
    catchAll: null,
    host: null,
    code: null,
    enhancedCode: null,
    response: 'too many probes wait for the mail provider, or it is in cooldown',
    retryAfterMs: Math.max(freeInMs, BUSY_MS),
  };
}

function getRetryAfterMs({ kind, repels, hintMs }: ReplyVerdict, cooldownMs: number): number | null {
  const hint = hintMs === null ? null : Math.min(Math.max(hintMs, LEAST_HINT_MS), LONGEST_HINT_MS);
  if (kind === 'greylisted') return hint ?? GREYLISTED_MS;
  if (kind === 'busy') return Math.max(hint ?? BUSY_MS, cooldownMs);
  return kind === 'refused_us' && repels ? Math.max(hint ?? 0, cooldownMs) : null;
}
