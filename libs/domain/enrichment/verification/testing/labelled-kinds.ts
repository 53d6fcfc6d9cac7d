import { type MailboxState, type MxOptions, POSTFIX, type Tongue } from '../../../../adapters/probe/testing';

/** The truth about an address. `any`: its domain accepts mail for every name. */
export type Truth = 'exists' | 'missing' | 'full' | 'disabled' | 'any';

export interface LabelledKind {
  /** Name in the table. */
  readonly name: string;
  readonly domain: string;
  /** By local part. */
  readonly truth: Readonly<Record<string, Truth>>;
  /** Behaviour of the server; null without a listening server. */
  readonly server: MxOptions | null;
  /**
   * Where its mail goes; default: to its server alone. `dead`: an additional preferred host without a listening server.
   */
  readonly dns?: 'dead host first' | 'null MX' | 'no such domain' | 'no host';
  /** The command after which the server stays silent, so that the test has to advance the clock. */
  readonly silentAt?: 'EHLO' | 'RCPT';
}

const GMAIL: Tongue = {
  unknown:
    '550-5.1.1 The email account that you tried to reach does not exist. Please try\n550 5.1.1 double-checking. https://support.example/mail/?p=NoSuchUser x - gsmtp',
  full: '452-4.2.2 The recipient’s inbox is out of storage space.\n452 4.2.2 https://support.example/?p=OverQuotaTemp - gsmtp',
  disabled: '550 5.2.1 The email account that you tried to reach is disabled. ?p=DisabledUser - gsmtp',
  greylisted: '450 4.7.1 Please try again later',
  blocked: '421 4.7.0 Our system has detected an unusual rate of mail from your IP address.',
};
const EXCHANGE: Tongue = {
  ...POSTFIX,
  unknown: '550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB1.eurprd05.example]',
  blocked: '550 5.7.606 Access denied, banned sending IP [192.0.2.9].',
};
const OLD: Tongue = {
  unknown: '550 unknown user',
  full: '552 mailbox full',
  disabled: '550 account disabled',
  greylisted: '451 greylisted, try again in 5 minutes',
  blocked: '550 your host is on our blacklist',
};
const FRENCH: Tongue = { ...OLD, unknown: '550 Utilisateur inconnu', full: '552 5.2.2 Boîte pleine' };
const MUTE: Tongue = { ...OLD, unknown: '550 rejected' };

const LOCALS =
  `ada ada.lovelace alan.turing anne-marie barbara_liskov bob c.shannon carol+news d.knuth dijkstra edith frances.allen
  grace.hopper hedy.lamarr ivan jean.bartik kathleen katherine.johnson linus margaret.hamilton niklaus noether olga o'brien
  radia.perlman rosza sophie.wilson thomas ursula x.y.z`.split(/\s+/);

/** Creates `count` local parts of each truth from the list. */
function some(counts: Partial<Record<Truth, number>>): Readonly<Record<string, Truth>> {
  const truths = Object.entries(counts).flatMap(([truth, count]) =>
    Array.from({ length: count }, () => truth as Truth),
  );
  return Object.fromEntries(truths.map((truth, at) => [LOCALS[at] ?? `person${at}`, truth]));
}

/** The mailboxes of the server; those that do not exist are omitted. */
function served(domain: string, truth: Readonly<Record<string, Truth>>, mx: MxOptions = {}): MxOptions {
  const kept = Object.entries(truth).filter(([, state]) => state !== 'missing' && state !== 'any');
  const mailboxes = Object.fromEntries(kept.map(([local, state]) => [`${local}@${domain}`, state as MailboxState]));
  return { ...mx, mailboxes };
}

function kind(name: string, domain: string, counts: Partial<Record<Truth, number>>, mx: MxOptions = {}): LabelledKind {
  const truth = some(counts);
  return { name, domain, truth, server: served(domain, truth, mx) };
}

/** A server that greylists each existing mailbox the first time, and every other one, too. */
function greylisting(name: string, domain: string): LabelledKind {
  const plain = kind(name, domain, { exists: 12, missing: 12 });
  const put = new Set<string>();
  const on: MxOptions['on'] = {
    RCPT: (_, line) => {
      if (!put.has(line)) {
        put.add(line);
        return { say: POSTFIX.greylisted };
      }
      const local = /<(.*)@/.exec(line)?.[1] ?? '';
      return { say: plain.truth[local] === 'exists' ? '250 2.1.5 Ok' : '550 5.1.1 User unknown' };
    },
  };
  return { ...plain, server: { on } };
}

const HALF = { exists: 12, missing: 12 };

/** Typical domains with one server each. */
export const LABELLED_KINDS: readonly LabelledKind[] = [
  kind('Postfix', 'postfix.example', { exists: 12, missing: 12, full: 3, disabled: 3 }),
  kind('Gmail', 'gmail-like.example', { exists: 12, missing: 12, full: 3, disabled: 3 }, { tongue: GMAIL }),
  kind('Exchange Online', 'exchange.example', HALF, { tongue: EXCHANGE }),
  kind(
    'old, without enhanced codes',
    'old.example',
    { exists: 12, missing: 12, full: 3, disabled: 3 },
    { tongue: OLD },
  ),
  kind('in another language', 'french.example', HALF, { tongue: FRENCH }),
  kind('full mailboxes only', 'full.example', { full: 12 }),
  kind('takes everything', 'everything.example', { any: 24 }, { takesEverything: true }),
  greylisting('greylisting', 'greylisting.example'),
  { ...kind('first host dead', 'backup.example', HALF), dns: 'dead host first' },
  kind('broken STARTTLS', 'tls.example', HALF, { capabilities: ['STARTTLS'], on: { STARTTLS: { next: 'drop' } } }),
  kind('one question per connection', 'impatient.example', HALF, {
    on: { RSET: { say: '421 4.5.3 enough', next: 'drop' } },
  }),
  kind('does not say why', 'mute.example', HALF, { tongue: MUTE }),
  kind('blocks us', 'blocks.example', HALF, { on: { RCPT: { say: POSTFIX.blocked } } }),
  kind('refuses us at once', 'refuses.example', HALF, { on: { CONNECT: { say: '554 5.7.1 no SMTP for you' } } }),
  kind('has trouble', 'trouble.example', HALF, { on: { RCPT: { say: '451 4.3.0 Temporary lookup failure' } } }),
  kind('hangs up', 'cut.example', HALF, { on: { RCPT: { next: 'drop' } } }),
  {
    ...kind('tarpit', 'tarpit.example', { exists: 5, missing: 5 }, { on: { RCPT: { next: 'hang' } } }),
    silentAt: 'RCPT',
  },
  {
    ...kind(
      'drips',
      'drips.example',
      { exists: 5, missing: 5 },
      { on: { EHLO: { raw: '250-mx\r\n250-SI', next: 'hang' } } },
    ),
    silentAt: 'EHLO',
  },
  { name: 'nobody listens', domain: 'refused.example', truth: some(HALF), server: null },
  { name: 'null MX', domain: 'null-mx.example', truth: some({ missing: 6 }), server: null, dns: 'null MX' },
  {
    name: 'no such domain',
    domain: 'nowhere.example',
    truth: some({ missing: 6 }),
    server: null,
    dns: 'no such domain',
  },
  { name: 'no mail host', domain: 'no-host.example', truth: some({ missing: 6 }), server: null, dns: 'no host' },
  kind('takes everything and bounces later', 'bounces.example', HALF, { takesEverything: true }),
  kind(
    'says “user unknown” of everybody',
    'lies.example',
    { exists: 6, missing: 6 },
    { on: { RCPT: { say: '550 5.1.1 User unknown' } } },
  ),
];
