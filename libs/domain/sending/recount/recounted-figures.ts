import { type CampaignFigure, type CountedShare, type StepFigure } from '@domain/campaigns';
import { type EventCount, type EventType } from '@domain/events';
import { type LeadGroup } from '@domain/leads';
import { type MachineEngagementCount, type FirstSendCount } from '@domain/sends';

/** A figure that differs from its recount. */
export interface FigureDifference {
  /** Null for events outside of a mailbox's runs, and for leads by status, which all shares together hold. */
  readonly mailboxId: string | null;
  /** `stats.sent`, `leads.active`, `steps.<stepId>.sent`, `newLeads` */
  readonly figure: string;
  readonly is: number;
  readonly shouldBe: number;
}

/** The true counts of a campaign. */
export interface Recount {
  readonly events: readonly EventCount[];
  readonly leads: readonly LeadGroup[];
  /** Opens and clicks of machines: no event records them. */
  readonly machines: readonly MachineEngagementCount[];
  /** The leads that each mailbox has taken first. */
  readonly taken: readonly FirstSendCount[];
}

interface CountedAs {
  /** Figures of the campaign that count each event. */
  readonly stats?: readonly CampaignFigure[];
  /** Figures of the campaign that count leads: only the first event of each lead counts. */
  readonly leads?: readonly CampaignFigure[];
  /** Figure of the step that counts each event. */
  readonly step?: StepFigure;
}

/** The counted events with their figures; docs/users/analytics.md defines them. */
const COUNTED_AS: Partial<Record<EventType, CountedAs>> = {
  'email.sent': { stats: ['sent', 'delivered'], step: 'sent' },
  'email.bounced': { stats: ['bounced'], step: 'bounced' },
  'email.opened': { leads: ['opened'], step: 'opened' },
  'email.clicked': { leads: ['clicked'], step: 'clicked' },
  'email.replied': { leads: ['replied'] },
  'email.unsubscribed': { leads: ['unsubscribed'] },
  'email.positive_reply': { leads: ['positiveReplied'] },
  'email.auto_replied': { stats: ['autoReplied'] },
  'email.complained': { stats: ['complained'] },
};
export const RECOUNTED_EVENTS = Object.keys(COUNTED_AS) as EventType[];

type Figures = Map<string, number>;

/** Lists the differences between the stored shares of a campaign and a recount. */
export function getDifferences(shares: readonly CountedShare[], recount: Recount): FigureDifference[] {
  const stored = new Map(shares.map((share) => [toKey(share.mailboxId), toStoredFigures(share)]));
  const counted = countFigures(recount);
  const perShare = [...new Set([...stored.keys(), ...counted.keys()])].toSorted().flatMap((key) =>
    listDifferences(stored.get(key), counted.get(key)).map((one) => ({
      mailboxId: key === NOBODY ? null : key,
      ...one,
    })),
  );
  const leads = listDifferences(getStoredLeads(shares), getCountedLeads(recount.leads));
  return [...perShare, ...leads.map((one) => ({ mailboxId: null, ...one }))];
}

const NOBODY = '';

function toKey(mailboxId: CountedShare['mailboxId']): string {
  return mailboxId === null ? NOBODY : mailboxId.toHexString();
}

function toStoredFigures({ stats, steps, newLeads }: CountedShare): Figures {
  const figures: Figures = new Map([['newLeads', newLeads]]);
  for (const [name, count] of Object.entries(stats)) figures.set(`stats.${name}`, count);
  for (const [stepId, ofStep] of Object.entries(steps ?? {})) {
    for (const [name, count] of Object.entries(ofStep)) figures.set(`steps.${stepId}.${name}`, count);
  }
  return figures;
}

function countFigures({ events, machines, taken }: Recount): Map<string, Figures> {
  const counted = new Map<string, Figures>();
  const figuresOf = (mailboxId: CountedShare['mailboxId']): Figures => {
    const key = toKey(mailboxId);
    const figures = counted.get(key) ?? new Map<string, number>();
    counted.set(key, figures);
    return figures;
  };
  for (const { mailboxId, type, stepId, count, firsts } of events) {
    const { stats = [], leads: ofLeads = [], step } = COUNTED_AS[type] ?? {};
    for (const name of stats) add(figuresOf(mailboxId), `stats.${name}`, count);
    for (const name of ofLeads) add(figuresOf(mailboxId), `stats.${name}`, firsts);
    if (step && stepId !== null) add(figuresOf(mailboxId), `steps.${stepId}.${step}`, count);
  }
  for (const { mailboxId, opened, clicked } of machines) {
    add(figuresOf(mailboxId), 'stats.machineOpened', opened);
    add(figuresOf(mailboxId), 'stats.machineClicked', clicked);
  }
  for (const { mailboxId, count } of taken) add(figuresOf(mailboxId), 'newLeads', count);
  return counted;
}

function getStoredLeads(shares: readonly CountedShare[]): Figures {
  const sums: Figures = new Map();
  for (const { leads } of shares) {
    for (const [name, count] of Object.entries(leads)) add(sums, `leads.${name}`, count);
  }
  return sums;
}

function getCountedLeads(leads: readonly LeadGroup[]): Figures {
  const sums: Figures = new Map();
  for (const { status, count } of leads) {
    add(sums, 'leads.total', count);
    add(sums, `leads.${status}`, count);
  }
  return sums;
}

function listDifferences(
  stored: Figures = new Map(),
  counted: Figures = new Map(),
): { figure: string; is: number; shouldBe: number }[] {
  return [...new Set([...stored.keys(), ...counted.keys()])].flatMap((figure) => {
    const is = stored.get(figure) ?? 0;
    const shouldBe = counted.get(figure) ?? 0;
    return is === shouldBe ? [] : [{ figure, is, shouldBe }];
  });
}

function add(figures: Figures, name: string, by: number): void {
  figures.set(name, (figures.get(name) ?? 0) + by);
}
