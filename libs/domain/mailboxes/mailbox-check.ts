import { type CheckResult, type MailCheck, type MailFailure, type MailSession, type MailStage } from '@adapters/mail';
import { type AppError, type ErrorDetail, validationFailed } from '@platform/errors';
import { type Half } from './mailbox-servers';
import { mailboxCheckFailed } from './mailboxes.errors';
import { type MailHalf } from './schemas/mailbox.record';

export interface HalfFailure {
  readonly failure: MailFailure;
  readonly half: MailHalf;
}

/** The field of the server settings that each stage of failure points to. */
const FIELD_OF_STAGE: Record<MailStage, 'Host' | 'Port' | 'Secure' | 'Password'> = {
  busy: 'Host',
  address: 'Host',
  resolve: 'Host',
  connect: 'Port',
  tls: 'Secure',
  greeting: 'Port',
  login: 'Password',
  sender: 'Host',
  recipient: 'Host',
  data: 'Host',
  handover: 'Host',
  request: 'Host',
};

/** A person waits for the result of a check. */
const CHECK_TIMEOUT_MS = 30_000;

const NAMES: Record<Half, string> = { smtp: 'The outgoing server (SMTP)', imap: 'The incoming server (IMAP)' };

/** The deadline of a check that a person waits for. */
export function createCheckDeadline(): AbortSignal {
  return AbortSignal.timeout(CHECK_TIMEOUT_MS);
}

/** Logs in to both halves while a person waits. */
export function verifyNow(session: MailSession): Promise<MailCheck> {
  return session.verify(createCheckDeadline());
}

/**
 * Returns the failure of a check; null when both halves accept the login. Congestion on our side (`busy`) counts
 * least.
 */
export function findFailure({ outgoing, incoming }: MailCheck): HalfFailure | null {
  const failures = [...listFailures('outgoing', outgoing), ...listFailures('incoming', incoming)];
  return failures.find(({ failure }) => failure.stage !== 'busy') ?? failures[0] ?? null;
}

/**
 * Returns why a mailbox with its own servers cannot be connected; null when both halves accept the login. A forbidden
 * host is an invalid field of the request; every other failure is a failed check.
 * @param secrets the passwords sent: some servers repeat the refused line
 */
export function toCheckError({ outgoing, incoming }: MailCheck, secrets: readonly string[]): AppError | null {
  const failures = [...listFailures('smtp', outgoing), ...listFailures('imap', incoming)];
  if (failures.length === 0) return null;
  const details = failures.map(({ half, failure }) => toErrorDetail(half, failure, secrets));
  const isRefusedByPolicy = failures.some(({ failure }) => failure.stage === 'address');
  return isRefusedByPolicy ? validationFailed(details) : mailboxCheckFailed(details);
}

function listFailures<H extends Half | MailHalf>(half: H, result: CheckResult): { half: H; failure: MailFailure }[] {
  return result.ok ? [] : [{ half, failure: result }];
}

function toErrorDetail(half: Half, failed: MailFailure, secrets: readonly string[]): ErrorDetail {
  const { stage, failure, message, lastReply } = failed;
  // A server with a temporary login failure has not refused the password.
  const isForNow = stage === 'login' && failure === 'temporary';
  const response = lastReply?.response.trim() ?? '';
  const reply = response === '' || message.includes(response) ? '' : ` (the server said: ${response})`;
  const text = `${NAMES[half]} cannot be used${isForNow ? ' at the moment' : ''}: ${message}${reply}`;
  return { field: `${half}${isForNow ? 'Host' : FIELD_OF_STAGE[stage]}`, message: redactSecrets(text, secrets) };
}

/** All secrets that a login sends: the passwords, and their form in SASL PLAIN (RFC 4616). */
export function getSecrets(logins: readonly { user: string; password: string }[]): string[] {
  return logins.flatMap(({ user, password }) => [password, `\0${user}\0${password}`]);
}

/** Removes the secrets from the text, in plain and in base64. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const written = secrets.flatMap((secret) => (secret === '' ? [] : [secret, toBase64(secret)]));
  return written.reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
}

function toBase64(secret: string): string {
  return Buffer.from(secret).toString('base64');
}
