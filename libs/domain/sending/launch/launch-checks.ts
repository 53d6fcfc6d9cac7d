import { nextOpening, type SendingSchedule } from '@platform/time';

export const LAUNCH_CHECKS = ['mailboxes', 'sequence', 'leads', 'variables', 'schedule', 'unsubscribe', 'dns'] as const;
export type LaunchCheckName = (typeof LAUNCH_CHECKS)[number];

export const LAUNCH_VERDICTS = ['ok', 'warning', 'failed'] as const;
export type LaunchVerdict = (typeof LAUNCH_VERDICTS)[number];

export interface LaunchCheck {
  readonly check: LaunchCheckName;
  readonly status: LaunchVerdict;
  /** One sentence for a person. */
  readonly message: string;
}

export interface SenderFacts {
  readonly email: string;
  /** Why it does not send, as in "ada@example.com is paused"; null if it sends. */
  readonly obstacle: string | null;
  /** The DNS findings of its domain: `pass`, `warn`, `fail`, `unknown`. */
  readonly dns: { readonly spf: string; readonly dkim: string; readonly dmarc: string };
}

/** The facts about a campaign before its start. */
export interface LaunchFacts {
  readonly now: Date;
  readonly senders: readonly SenderFacts[];
  readonly sequence: {
    readonly steps: number;
    /** The faults of the sequence, one sentence each. */
    readonly faults: readonly string[];
  };
  readonly activeLeads: number;
  /** Whether other leads wait for the verification of their addresses. */
  readonly isVerifying: boolean;
  /** A sample of the active leads, and how many of them lack a value (`value for {{city}}`). */
  readonly sample: { readonly size: number; readonly lacking: ReadonlyMap<string, number> };
  /** Values that all mailboxes, or only some (`all` is false), lack. */
  readonly senderLacks: ReadonlyMap<string, { readonly all: boolean }>;
  readonly schedule: SendingSchedule;
  readonly includesUnsubscribeLink: boolean;
  /** The public address of this installation. */
  readonly publicUrl: string;
}

/** A longer wait for the first window is probably a mistake. */
const OPENS_WITHIN_DAYS = 14;
const DAY_MS = 86_400_000;
/** Maximum number of mailboxes, faults and placeholders named in a message. */
const NAMED = 10;

/** Runs all checks without stopping at the first failure, so that one response names everything to fix. */
export function launchChecks(facts: LaunchFacts): LaunchCheck[] {
  return [
    mailboxes(facts),
    sequence(facts),
    leads(facts),
    variables(facts),
    schedule(facts),
    unsubscribe(facts),
    dns(facts),
  ];
}

function mailboxes({ senders }: LaunchFacts): LaunchCheck {
  const check = 'mailboxes';
  if (senders.length === 0) return failed(check, 'The campaign has no mailbox to send from; add one');
  const hindered = senders.filter(({ obstacle }) => obstacle !== null);
  const named = listed(hindered.map(({ email, obstacle }) => `${email} ${obstacle}`));
  if (hindered.length === senders.length) return failed(check, `None of its mailboxes can send: ${named}`);
  if (hindered.length > 0) return warning(check, `Some of its mailboxes cannot send: ${named}`);
  return ok(check, senders.length === 1 ? '1 mailbox can send' : `${senders.length} mailboxes can send`);
}

function sequence({ sequence: { steps, faults } }: LaunchFacts): LaunchCheck {
  if (steps === 0) return failed('sequence', 'The campaign has no sequence; add its first step');
  if (faults.length > 0) return failed('sequence', listed(faults, '; '));
  return ok('sequence', steps === 1 ? '1 step' : `${steps} steps`);
}

function leads({ activeLeads, isVerifying }: LaunchFacts): LaunchCheck {
  if (activeLeads <= 0 && isVerifying) {
    return warning('leads', 'The addresses of all leads are still being verified; nothing is sent before that');
  }
  if (activeLeads <= 0) return failed('leads', 'There is no active lead to write to; add leads or resume them');
  return ok('leads', activeLeads === 1 ? '1 active lead' : `${activeLeads} active leads`);
}

function variables({ sample: { size, lacking }, senderLacks }: LaunchFacts): LaunchCheck {
  const check = 'variables';
  const lackedByAll = size === 0 ? [] : [...lacking].filter(([, count]) => count >= size);
  const some = [...lacking].filter(([, count]) => count > 0 && count < size);
  const noSender = [...senderLacks].filter(([, { all }]) => all);
  const someSenders = [...senderLacks].filter(([, { all }]) => !all);
  const impossible = [
    ...lackedByAll.map(([what]) => `no lead has a ${what}`),
    ...noSender.map(([what]) => `no mailbox has a ${what}`),
  ];
  if (impossible.length > 0) return failed(check, sentence(`${listed(impossible, '; ')}; give it a default`));
  const holes = [
    ...some.map(([what, count]) => `${count} of ${size} sampled leads have no ${what}`),
    ...someSenders.map(([what]) => `some mailboxes have no ${what}`),
  ];
  if (holes.length > 0) return warning(check, sentence(`${listed(holes, '; ')}: nothing is sent where one is missing`));
  return ok(check, 'Every placeholder has a value or a default');
}

function schedule({ now, schedule: times }: LaunchFacts): LaunchCheck {
  const check = 'schedule';
  const opensAt = nextOpening(times, now);
  if (opensAt === null || opensAt.getTime() > now.getTime() + OPENS_WITHIN_DAYS * DAY_MS) {
    return failed(check, `The schedule allows no sending within the next ${OPENS_WITHIN_DAYS} days`);
  }
  if (opensAt <= now) return ok(check, 'The schedule allows sending now');
  return ok(check, `The schedule allows sending from ${opensAt.toISOString()} on`);
}

function unsubscribe({ includesUnsubscribeLink, publicUrl }: LaunchFacts): LaunchCheck {
  const check = 'unsubscribe';
  if (!includesUnsubscribeLink) return ok(check, 'The emails carry no unsubscribe link');
  if (!publicUrl.startsWith('https://')) {
    const why = 'mail programs offer one-click unsubscribing by https only';
    return warning(check, `The unsubscribe link leads to ${publicUrl}, but ${why}; set PUBLIC_URL`);
  }
  return ok(check, 'The emails carry an unsubscribe link');
}

/** Fails only for what is known to be wrong, and ignores mailboxes that do not send. */
function dns({ senders }: LaunchFacts): LaunchCheck {
  const sending = senders.filter(({ obstacle }) => obstacle === null);
  const broken = pickRecords(sending, (name, state) => name !== 'dmarc' && state === 'fail');
  if (broken.length > 0) {
    return failed('dns', `Receivers will not trust the senders: ${listed(broken)}; fix the DNS of the domain`);
  }
  const doubtful = pickRecords(sending, (name, state) => state === 'warn' || (name === 'dmarc' && state === 'fail'));
  if (doubtful.length > 0) return warning('dns', `The DNS of the senders can be improved: ${listed(doubtful)}`);
  return ok('dns', 'Nothing is known to be wrong with the DNS of the senders');
}

/** "SPF of example.com", each once. */
function pickRecords(
  senders: readonly SenderFacts[],
  counts: (name: keyof SenderFacts['dns'], state: string) => boolean,
): string[] {
  const found = senders.flatMap(({ email, dns }) =>
    (['spf', 'dkim', 'dmarc'] as const)
      .filter((name) => counts(name, dns[name]))
      .map((name) => `${name.toUpperCase()} of ${email.slice(email.lastIndexOf('@') + 1)}`),
  );
  return [...new Set(found)];
}

function ok(check: LaunchCheckName, message: string): LaunchCheck {
  return { check, status: 'ok', message };
}

function warning(check: LaunchCheckName, message: string): LaunchCheck {
  return { check, status: 'warning', message };
}

function failed(check: LaunchCheckName, message: string): LaunchCheck {
  return { check, status: 'failed', message };
}

function listed(all: readonly string[], separator = ', '): string {
  const more = all.length > NAMED ? `${separator}and ${all.length - NAMED} more` : '';
  return all.slice(0, NAMED).join(separator) + more;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
