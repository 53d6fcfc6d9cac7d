import { type FailureKind } from '@platform/errors';
import { type MailStage, toServerReply, type ServerReply } from '../port/mail.errors';

/** A server's reply to one command (RFC 5321, 4.2). */
export interface Reply {
  /** Three digits, or null when the lines differ: then it is not SMTP. */
  readonly code: number | null;
  /** RFC 3463, `5.1.1`. */
  readonly enhancedCode: string | null;
  /** All lines as received, without credentials. */
  readonly text: string;
}

const LINE = /^([2-5]\d\d)(?:[ -]|$)/;
const ENHANCED = /^[2-5]\d\d[ -]([245]\.\d{1,3}\.\d{1,3})(?:\s|$)/m;

/** Codes that require other credentials, in reply to any command (RFC 4954, 6). */
const LOGIN_CODES: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/** The same by RFC 3463: refused credentials, and a password transition, which RFC 4954 assigns to 432 but Microsoft does not. */
const LOGIN_ENHANCED: ReadonlySet<string | null> = new Set(['5.7.8', '4.7.12']);

/** Stages at which a refusal concerns this message; before, it concerns the mailbox or its server. */
const ABOUT_THE_MESSAGE: ReadonlySet<MailStage> = new Set(['sender', 'recipient', 'data', 'handover']);

export function parseSmtpReply(text: string): Reply {
  const codes = new Set(text.split('\n').map((line) => LINE.exec(line)?.[1]));
  const [code] = codes;
  return {
    code: codes.size === 1 && code !== undefined ? Number(code) : null,
    enhancedCode: ENHANCED.exec(text)?.[1] ?? null,
    text,
  };
}

export function toSmtpServerReply(reply: Reply, command: string | null): ServerReply {
  return toServerReply({ code: reply.code, enhancedCode: reply.enhancedCode, command, response: reply.text });
}

/**
 * Classifies a reply that is not 2xx. A refusal is `permanent` only when it concerns a message. Before MAIL, 4xx and failures of encryption
 * are temporary; other refusals require a user to correct the settings. 5.7.9 is no login code here: RFC 4954 has it beside 534, but Yahoo
 * rejects unwanted mail with 554 5.7.9.
 */
export function getRefusalKind(stage: MailStage, reply: Reply): FailureKind {
  const { code, enhancedCode } = reply;
  if (code === null) return stage === 'greeting' ? 'needs-human' : 'temporary';
  if (LOGIN_CODES.has(code) || LOGIN_ENHANCED.has(enhancedCode)) return stage === 'tls' ? 'temporary' : 'needs-human';
  if (code < 500 || stage === 'tls') return 'temporary';
  return ABOUT_THE_MESSAGE.has(stage) ? 'permanent' : 'needs-human';
}
