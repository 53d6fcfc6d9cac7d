/**
 * Faults that the SMTP server can simulate. The name is the local part of an address up to the first `+` or `.`:
 * `drop-after-dot.ann@leads.test`, `slow-500+7@leads.test`.
 */

/** The moment of the fault: at login and MAIL only a user name can select it, since the recipient is unknown then. */
export type Moment = 'auth' | 'mail' | 'rcpt' | 'data' | 'mid-data' | 'after-dot';

export type Fault =
  /** Another answer; `times` limits it to the first attempts of each (sender, recipient). */
  | { at: Moment; kind: 'answer'; code: number; text: string; times?: number }
  /** The connection closes without an answer; `stored` when the message is logged and delivered before. */
  | { at: Moment; kind: 'drop'; stored?: boolean }
  /** No answer, with an open connection; `times` as above. */
  | { at: Moment; kind: 'hang'; stored?: boolean; times?: number }
  /** The normal answer after a delay. */
  | { at: Moment; kind: 'slow'; ms: number };

const LONGEST_SLOWNESS_MS = 60_000;

const answer = (at: Moment, code: number, text: string, times?: number): Fault => ({
  at,
  kind: 'answer',
  code,
  text,
  ...(times !== undefined && { times }),
});

const GREYLISTED = '4.2.0 Greylisted, see https://postgrey.example/help: try again later';

/** Selected by the recipient's local part. */
export const RECIPIENT_FAULTS: Readonly<Record<string, Fault>> = {
  'rcpt-421': answer('rcpt', 421, '4.3.2 Service shutting down and closing transmission channel'),
  'rcpt-450': answer('rcpt', 450, '4.2.1 The user you are trying to contact is receiving mail too quickly'),
  greylist: answer('rcpt', 450, GREYLISTED, 1),
  'greylist-twice': answer('rcpt', 450, GREYLISTED, 2),
  'rcpt-452': answer('rcpt', 452, '4.2.2 The recipient mailbox is full'),
  'rcpt-550': answer('rcpt', 550, '5.1.1 The email account that you tried to reach does not exist'),
  'rcpt-554': answer('rcpt', 554, '5.7.1 Message rejected due to policy: sender reputation'),
  'drop-at-rcpt': { at: 'rcpt', kind: 'drop' },
  'hang-at-rcpt': { at: 'rcpt', kind: 'hang' },
  'drop-at-data': { at: 'data', kind: 'drop' },
  'hang-at-data': { at: 'data', kind: 'hang' },
  'hang-once-at-rcpt': { at: 'rcpt', kind: 'hang', times: 1 },
  'hang-once-at-data': { at: 'data', kind: 'hang', times: 1 },
  'drop-mid-data': { at: 'mid-data', kind: 'drop' },
  'data-421': answer('after-dot', 421, '4.7.0 Try again later, closing connection'),
  'data-451': answer('after-dot', 451, '4.3.0 Requested action aborted: local error in processing'),
  'data-552': answer('after-dot', 552, '5.3.4 Message too big for system'),
  'data-554': answer('after-dot', 554, '5.7.1 Message identified as spam'),
  'drop-after-dot': { at: 'after-dot', kind: 'drop' },
  'drop-after-dot-stored': { at: 'after-dot', kind: 'drop', stored: true },
  'hang-after-dot': { at: 'after-dot', kind: 'hang' },
  'hang-after-dot-stored': { at: 'after-dot', kind: 'hang', stored: true },
};

/** Selected by the local part of the login name. */
export const USER_FAULTS: Readonly<Record<string, Fault>> = {
  'auth-454': answer('auth', 454, '4.7.0 Temporary authentication failure'),
  'auth-432': answer('auth', 432, '4.3.2 Concurrent connections limit exceeded'),
  'auth-534': answer('auth', 534, '5.7.9 Application-specific password required'),
  'auth-535': answer('auth', 535, '5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled'),
  'drop-at-auth': { at: 'auth', kind: 'drop' },
  'hang-at-auth': { at: 'auth', kind: 'hang' },
  'mail-421': answer('mail', 421, '4.7.0 Our system has detected an unusual rate of mail'),
  'mail-451': answer('mail', 451, '4.7.1 Please try again later'),
  'mail-550': answer('mail', 550, '5.4.5 Daily user sending limit exceeded'),
  'mail-553': answer('mail', 553, '5.7.1 Sender address rejected: not owned by user'),
  'drop-at-mail': { at: 'mail', kind: 'drop' },
  'hang-at-mail': { at: 'mail', kind: 'hang' },
};

/** The name before the first `+` or `.` of the local part. */
export function nameIn(address: string): string {
  const at = address.lastIndexOf('@');
  const local = at < 0 ? address : address.slice(0, at);
  return local.toLowerCase().split(/[+.]/, 1)[0] ?? '';
}

export function recipientFault(address: string): Fault | undefined {
  return lookUp(RECIPIENT_FAULTS, nameIn(address), 'after-dot');
}

export function userFault(user: string): Fault | undefined {
  return lookUp(USER_FAULTS, nameIn(user), 'mail');
}

function lookUp(table: Readonly<Record<string, Fault>>, name: string, slowAt: Moment): Fault | undefined {
  const slow = /^slow-(\d{1,6})$/.exec(name)?.[1];
  if (slow) return { at: slowAt, kind: 'slow', ms: Math.min(Number(slow), LONGEST_SLOWNESS_MS) };
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Counts attempts per (sender, recipient), so that greylisting accepts the later ones. */
export class Attempts {
  readonly #seen = new Map<string, number>();

  /** True while the fault still applies to this pair; counts this attempt. */
  strikes(fault: Fault, sender: string, recipient: string): boolean {
    if (!('times' in fault) || fault.times === undefined) return true;
    const pair = JSON.stringify([sender.toLowerCase(), recipient.toLowerCase()]);
    const before = this.#seen.get(pair) ?? 0;
    this.#seen.set(pair, before + 1);
    return before < fault.times;
  }
}
