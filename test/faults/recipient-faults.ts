import { type Chance } from './seeded';

/**
 * Misbehaviour of the mail sandbox, by the recipient’s name (tools/mail-sandbox/README.md). Faults that stop a
 * mailbox until a person resumes it are left out.
 */
const MISBEHAVIOUR = [
  'greylist',
  'greylist-twice',
  'rcpt-450',
  'rcpt-421',
  'data-451',
  'data-421',
  'rcpt-550',
  'data-552',
  'slow-200',
  'drop-at-rcpt',
  'drop-at-data',
  'drop-mid-data',
  'drop-after-dot',
  'drop-after-dot-stored',
];

/** Faults that delay the server’s answer, or silence it until the waiting worker is killed or cut off. */
const SILENCE = [
  'hang-once-at-rcpt',
  'hang-once-at-data',
  'hang-after-dot',
  'hang-after-dot-stored',
  'slow-1000',
  'slow-2000',
  'slow-3000',
];

/** Recipients for which the server stays silent after it got the message. */
export const UNANSWERED = /^(drop-(mid-data|after-dot)|hang-after-dot)/;

/**
 * Names of recipients, of which the given share misbehaves.
 * @param silence whether servers also fall silent, which blocks the waiting worker
 */
export function mixedLeads(chance: Chance, count: number, share: number, silence = false): string[] {
  const faults = silence ? [...MISBEHAVIOUR, ...SILENCE] : MISBEHAVIOUR;
  return Array.from({ length: count }, (_, index) => {
    const name = chance.next() < share ? chance.pick(faults) : 'fine';
    return `${name}.${index}`;
  });
}
