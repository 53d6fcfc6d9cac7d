import { type CheckResult, type MailCheck, type MailFailure, type MailSession, type MailStage } from '@adapters/mail';
import { type AppError, type ErrorDetail, validationFailed } from '@platform/errors';
import { type Half } from './mailbox-servers';
import { mailboxCheckFailed } from './mailboxes.errors';
import { type MailHalf } from './schemas/mailbox.record';

export interface HalfFailure {
  readonly failure: MailFailure;
  readonly half: MailHalf;
}

/** The part of a server's settings that each kind of failure points to. */
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

/** A person is waiting; a server that says nothing for so long is as good as none. */
const CHECK_TIMEOUT_MS = 30_000;

const NAMES: Record<Half, string> = { smtp: 'The outgoing server (SMTP)', imap: 'The incoming server (IMAP)' };

/** When whoever waits for a server gives it up. */
export function createCheckDeadline(): AbortSignal {
  return AbortSignal.timeout(CHECK_TIMEOUT_MS);
}

/** Logs in to both halves while a person waits for it. */
export function verifyNow(session: MailSession): Promise<MailCheck> {
  return session.verify(createCheckDeadline());
}

/** What a check says about the mailbox: null when both halves let us in. That we were busy counts least. */
export function findFailure({ outgoing, incoming }: MailCheck): HalfFailure | null {
  const failures = [...listFailures('outgoing', outgoing), ...listFailures('incoming', incoming)];
  return failures.find(({ failure }) => failure.stage !== 'busy') ?? failures[0] ?? null;
}

/**
 * Why a mailbox with servers of its own cannot be connected, or null when both halves let us in. A host that this
 * installation does not connect to is a wrong field of the request; everything else is a failed check.
 * @param secrets what was sent to log in: some servers repeat in their refusal the line that they did not like
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
  const { stage, failure, message, words } = failed;
  // A server that cannot log anybody in just now has not refused the password.
  const isForNow = stage === 'login' && failure === 'temporary';
  const response = words?.response.trim() ?? '';
  const said = response === '' || message.includes(response) ? '' : ` (the server said: ${response})`;
  const text = `${NAMES[half]} cannot be used${isForNow ? ' at the moment' : ''}: ${message}${said}`;
  return { field: `${half}${isForNow ? 'Host' : FIELD_OF_STAGE[stage]}`, message: redactSecrets(text, secrets) };
}

/** All that is sent to log in with these: the passwords, and what SASL PLAIN makes of them (RFC 4616). */
export function getSecrets(logins: readonly { user: string; password: string }[]): string[] {
  return logins.flatMap(({ user, password }) => [password, `\0${user}\0${password}`]);
}

/** The text without the secrets, as they are and in base64. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  const written = secrets.flatMap((secret) => (secret === '' ? [] : [secret, toBase64(secret)]));
  return written.reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
}

function toBase64(secret: string): string {
  return Buffer.from(secret).toString('base64');
}
