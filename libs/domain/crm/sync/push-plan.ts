import { type CrmPerson, type CrmValue, type CrmWrite } from '@adapters/crm';
import { type Types } from 'mongoose';
import { type CrmLinkRecord } from '../links/schemas/crm-link.record';
import { type Engagement, seenKey, getSeen } from '../links/remote-snapshot';
import { type MappingRule } from '../mapping/field-rule';
import { valueForCrm } from '../mapping/field-value';
import { type PushedLead, rulesToPush, textOfLead } from '../mapping/pushed-lead';
import { type SyncPerson } from '../people/sync-person';
import { getPushedLead, remoteValue } from './rule-values';
import { isNews, type OutgoingSide, pushMove, seenAfterPush } from './field-merge';
import { getOutcome, type SyncOutcome } from './sync-outcome';

/** A person that is pushed. */
export interface PushSubject {
  readonly email: string;
  readonly leadId: Types.ObjectId | null;
  readonly person: SyncPerson;
  readonly link: CrmLinkRecord | undefined;
}

export interface PushRules {
  readonly mapping: readonly MappingRule[];
  readonly isFull: boolean;
  /** Whose new people are; null: nobody's. */
  readonly ownerId: string | null;
}

/** What the CRM says of a person. */
export interface PushKnown {
  /** By id, of those that are linked and there. */
  readonly read: ReadonlyMap<string, CrmPerson>;
  /** By address, of those that are not linked (any more). */
  readonly found: ReadonlyMap<string, readonly CrmPerson[]>;
  /** Addresses by the ids of people that are linked. */
  readonly linked: ReadonlyMap<string, string>;
}

/** What is remembered of a person when what is decided is done. */
export interface Remembered {
  readonly externalId: string;
  readonly seen: Engagement;
  readonly remoteUpdatedAt: Date | null;
}

export type PushMove =
  | {
      readonly do: 'tell';
      readonly subject: PushSubject;
      readonly outcome: SyncOutcome;
      readonly link: Remembered | null;
    }
  | {
      readonly do: 'write';
      readonly subject: PushSubject;
      readonly write: CrmWrite;
      /** What it is told as when it is written. */
      readonly outcome: SyncOutcome;
      readonly seen: Engagement;
    };

/** What is to be asked about a person: `nothing`, whether it is as it was; `later`, as somebody has it in hand. Pure. */
export function getQuestion(
  { link, person }: PushSubject,
  { mapping, isFull }: PushRules,
  now: Date,
): 'nothing' | 'read' | 'find' | 'later' {
  if (link?.waitingUntil && link.waitingUntil > now) return 'later';
  if (!link || link.externalId === '') return 'find';
  const lead = getPushedLead(person);
  const sides = rulesToPush(mapping, lead).map((rule) => ({ rule, local: textOfLead(lead, rule.lead) }));
  const isSettled = !isFull && link.waitingFor === undefined && !isNews(sides, getSeen(link.seen));
  return isSettled ? 'nothing' : 'read';
}

/** What is done about a person, once the CRM was asked. Pure. */
export function getPushMove(subject: PushSubject, known: PushKnown, rules: PushRules): PushMove {
  const { email, leadId, person, link } = subject;
  const there = link && link.externalId !== '' ? known.read.get(link.externalId) : undefined;
  if (there) return changeOf(subject, there, getSeen(link?.seen ?? '{}'), rules);
  const found = known.found.get(email) ?? [];
  const [only, second] = found;
  const about = { email, leadId };
  if (second) {
    const message = `Several people of the CRM have this address: ${found.map(({ externalId }) => externalId).join(', ')}`;
    return told(
      subject,
      getOutcome('conflict', { ...about, reason: 'duplicate_in_crm', message: message.slice(0, 300) }),
    );
  }
  if (only) {
    const { externalId } = only;
    const other = known.linked.get(externalId);
    if (other !== undefined && other !== email) {
      const message = 'The person of the CRM who has this address is linked with another one';
      return told(
        subject,
        getOutcome('conflict', { ...about, externalId, reason: 'linked_to_other_address', message }),
      );
    }
    return changeOf(subject, only, {}, rules);
  }
  if (person.isSuppressed) return told(subject, getOutcome('skipped', { ...about, reason: 'suppressed' }));
  return creationOf(subject, rules);
}

function told(subject: PushSubject, outcome: SyncOutcome): PushMove {
  return { do: 'tell', subject, outcome, link: null };
}

function creationOf(subject: PushSubject, { mapping, ownerId }: PushRules): PushMove {
  const { email, leadId } = subject;
  const sides = outgoingSides(mapping, getPushedLead(subject.person), null);
  const fields = fieldsOf(sides.filter(({ outgoing = null }) => outgoing !== null));
  const seen = sides.flatMap((side) => {
    const after = seenAfterPush(side, side.outgoing === undefined ? 'leave' : 'move', {});
    return after ? [[seenKey(side.rule), after] as const] : [];
  });
  const owner = ownerId === null ? {} : { ownerId };
  return {
    do: 'write',
    subject,
    write: { key: email, externalId: null, email, fields, ...owner },
    outcome: getOutcome('created', { email, leadId, ...refusal(sides), changes: { ...fields, ...owner } }),
    seen: Object.fromEntries(seen),
  };
}

function changeOf(subject: PushSubject, there: CrmPerson, before: Engagement, rules: PushRules): PushMove {
  const { email, leadId, person, link } = subject;
  const { externalId, updatedAt } = there;
  const decided = outgoingSides(rules.mapping, getPushedLead(person), there).map((side) => {
    const move = pushMove(side, before, rules.isFull);
    return { side, move, after: seenAfterPush(side, move, before) };
  });
  const seen = {
    ...before,
    ...Object.fromEntries(decided.flatMap(({ side, after }) => (after ? [[seenKey(side.rule), after]] : []))),
  };
  const fields = fieldsOf(decided.filter(({ move }) => move === 'move').map(({ side }) => side));
  const owner = rules.ownerId !== null && there.ownerId === null ? { ownerId: rules.ownerId } : {};
  const conflicts = decided.filter(({ move }) => move === 'conflict').map(({ side }) => side.rule.crm);
  const changes = { ...fields, ...owner };
  const isChanged = Object.keys(changes).length > 0;
  const about = { email, leadId, externalId, changes: isChanged ? changes : null };
  const outcome = outcomeOfChange(
    { about, conflicts, isChanged, isOurs: link?.externalId === '' },
    decided.map(({ side }) => side),
  );
  if (!isChanged) return { do: 'tell', subject, outcome, link: { externalId, seen, remoteUpdatedAt: updatedAt } };
  return { do: 'write', subject, write: { key: email, externalId, email, fields, ...owner }, outcome, seen };
}

/** One of which only our mark was there was made by us: nobody heard of it. */
function outcomeOfChange(
  {
    about,
    conflicts,
    isChanged,
    isOurs,
  }: { about: Partial<SyncOutcome>; conflicts: string[]; isChanged: boolean; isOurs: boolean },
  sides: readonly OutgoingSide[],
): SyncOutcome {
  const [field] = conflicts;
  if (field !== undefined) {
    const message = `Both sides changed it since the last sync: ${conflicts.join(', ')}`;
    return getOutcome('conflict', { ...about, reason: 'both_changed', message, field });
  }
  if (isOurs) return getOutcome('created', { ...about, reason: 'found_afterwards' });
  return getOutcome(isChanged ? 'updated' : 'unchanged', { ...about, ...refusal(sides) });
}

function outgoingSides(mapping: readonly MappingRule[], lead: PushedLead, there: CrmPerson | null): OutgoingSide[] {
  return rulesToPush(mapping, lead).map((rule) => {
    const local = textOfLead(lead, rule.lead);
    const converted = valueForCrm(rule, local);
    const outgoing = converted.ok ? converted.value : undefined;
    return { rule, local, remote: there ? remoteValue(rule, there) : null, outgoing };
  });
}

function fieldsOf(sides: readonly OutgoingSide[]): Record<string, CrmValue> {
  return Object.fromEntries(sides.map(({ rule, outgoing = null }) => [rule.crm, outgoing]));
}

function refusal(sides: readonly OutgoingSide[]): Partial<SyncOutcome> {
  const field = sides.find(({ outgoing }) => outgoing === undefined)?.rule.crm;
  if (field === undefined) return {};
  return { reason: 'value_refused', message: 'The field of the CRM cannot have this value', field };
}
