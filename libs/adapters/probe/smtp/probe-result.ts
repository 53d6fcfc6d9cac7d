import { type Reply } from '@adapters/mail';
import { type ProbeAnswer } from '../port/mailbox-probe.port';
import { type ProbeFailureError } from './probe-failure.errors';
import { type ReplyVerdict } from './reply-classification';

/** When servers that say nothing of it let a recipient pass that they have put off: most ask for one to five minutes. */
const GREYLISTED_MS = 300_000;
const BUSY_MS = 60_000;
/** What nobody answers may be mended by then. */
const SILENT_MS = 900_000;
/** What a server says is believed within these bounds. */
const LEAST_HINT_MS = 30_000;
const LONGEST_HINT_MS = 4 * 3_600_000;

const MAX_RESPONSE = 500;
/** What could be read as something else than one line of text, by a terminal or by a person. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

export interface ProbeReply {
  readonly host: string;
  readonly reply: Reply;
  readonly verdict: ReplyVerdict;
  readonly catchAll: boolean | null;
  /** Milliseconds for which the provider is left alone. */
  readonly cooldownMs: number;
}

export function toReplyAnswer({ host, reply, verdict, catchAll, cooldownMs: restMs }: ProbeReply): ProbeAnswer {
  return {
    kind: verdict.kind,
    catchAll,
    host,
    code: reply.code === null ? null : String(reply.code),
    enhancedCode: reply.enhancedCode,
    response: reply.text.replaceAll(UNPRINTABLE, ' ').trim().slice(0, MAX_RESPONSE),
    retryAfterMs: getRetryAfterMs(verdict, restMs),
  };
}

/** @param host null when nobody was reached */
export function toFailureAnswer({ kind, message }: ProbeFailureError, host: string | null): ProbeAnswer {
  const retryAfterMs = kind === 'protocol' ? null : SILENT_MS;
  return { kind, catchAll: null, host, code: null, enhancedCode: null, response: message, retryAfterMs };
}

/** We did not ask, so as not to disturb. */
export function toPausedAnswer(freeInMs: number): ProbeAnswer {
  return {
    kind: 'busy',
    catchAll: null,
    host: null,
    code: null,
    enhancedCode: null,
    response: 'the mail provider is asked by too many, or left alone for a while',
    retryAfterMs: Math.max(freeInMs, BUSY_MS),
  };
}

function getRetryAfterMs({ kind, repels, hintMs }: ReplyVerdict, restMs: number): number | null {
  const hint = hintMs === null ? null : Math.min(Math.max(hintMs, LEAST_HINT_MS), LONGEST_HINT_MS);
  if (kind === 'greylisted') return hint ?? GREYLISTED_MS;
  if (kind === 'busy') return Math.max(hint ?? BUSY_MS, restMs);
  return kind === 'refused_us' && repels ? Math.max(hint ?? 0, restMs) : null;
}
