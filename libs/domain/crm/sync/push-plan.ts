import { type CrmPerson, type CrmValue, type CrmWrite } from '@adapters/crm';
import { type Types } from 'mongoose';
import { type CrmLinkRecord } from '../links/schemas/crm-link.record';
import { type RemoteSnapshot, getSnapshotKey, parseSnapshot } from '../links/remote-snapshot';
import { type MappingRule } from '../mapping/field-rule';
import { toCrmValue } from '../mapping/field-value';
import { type PushedLead, filterPushRules, getLeadText } from '../mapping/pushed-lead';
import { type SyncPerson } from '../people/sync-person';
import { getPushedLead, getRemoteValue } from './rule-values';
import { hasLocalChange, type OutgoingSide, decidePush, getSnapshotAfterPush } from './field-merge';
import { createOutcome, type SyncOutcome } from './sync-outcome';

/** A person of a push. */
export interface PushSubject {
  readonly email: string;
  readonly leadId: Types.ObjectId | null;
  readonly person: SyncPerson;
  readonly link: CrmLinkRecord | undefined;
}

export interface PushRules {
  readonly mapping: readonly MappingRule[];
  readonly isFull: boolean;
  /** Owner of new people; null: none. */
  readonly ownerId: string | null;
}

/** People of the CRM. */
export interface PushKnown {
  /** By id: linked people that exist. */
  readonly read: ReadonlyMap<string, CrmPerson>;
  /** By address: people without a link. */
  readonly found: ReadonlyMap<string, readonly CrmPerson[]>;
  /** Addresses by person id, from the links. */
  readonly linked: ReadonlyMap<string, string>;
}

/** The link of a person after the action. */
export interface RememberedLink {
  readonly externalId: string;
  readonly snapshot: RemoteSnapshot;
  readonly remoteUpdatedAt: Date | null;
}

export type PushMove =
  | {
      readonly do: 'report';
      readonly subject: PushSubject;
      readonly outcome: SyncOutcome;
      readonly link: RememberedLink | null;
    }
  | {
      readonly do: 'write';
      readonly subject: PushSubject;
      readonly write: CrmWrite;
      /** The outcome when the write succeeds. */
      readonly outcome: SyncOutcome;
      readonly snapshot: RemoteSnapshot;
    };

/** Decides the lookup of a person: `nothing` when unchanged; `later` when another job has marked it. Pure. */
export function decideLookup(
  { link, person }: PushSubject,
  { mapping, isFull }: PushRules,
  now: Date,
): 'nothing' | 'read' | 'find' | 'later' {
  if (link?.waitingUntil && link.waitingUntil > now) return 'later';
  if (!link || link.externalId === '') return 'find';
  const lead = getPushedLead(person);
  const sides = filterPushRules(mapping, lead).map((rule) => ({ rule, local: getLeadText(lead, rule.lead) }));
  const isSettled =
    !isFull && link.waitingFor === undefined && !hasLocalChange(sides, parseSnapshot(link.remoteSnapshot));
  return isSettled ? 'nothing' : 'read';
}

/** Decides the action for a person after the lookup. Pure. */
export function decidePushMove(subject: PushSubject, known: PushKnown, rules: PushRules): PushMove {
  const { email, leadId, person, link } = subject;
  const there = link && link.externalId !== '' ? known.read.get(link.externalId) : undefined;
  if (there) return toUpdateMove(subject, there, parseSnapshot(link?.remoteSnapshot ?? '{}'), rules);
  const found = known.found.get(email) ?? [];
  const [only, second] = found;
  const about = { email, leadId };
  if (second) {
    const message = `Several people of the CRM have this address: ${found.map(({ externalId }) => externalId).join(', ')}`;
    return toSettledMove(
      subject,
      createOutcome('conflict', { ...about, reason: 'duplicate_in_crm', message: message.slice(0, 300) }),
    );
  }
  if (only) {
    const { externalId } = only;
    const other = known.linked.get(externalId);
    if (other !== undefined && other !== email) {
      const message = 'The person of the CRM who has this address is linked with another one';
      return toSettledMove(
        subject,
        createOutcome('conflict', { ...about, externalId, reason: 'linked_to_other_address', message }),
      );
    }
    return toUpdateMove(subject, only, {}, rules);
  }
  if (person.isSuppressed) return toSettledMove(subject, createOutcome('skipped', { ...about, reason: 'suppressed' }));
  return toCreateMove(subject, rules);
}

function toSettledMove(subject: PushSubject, outcome: SyncOutcome): PushMove {
  return { do: 'report', subject, outcome, link: null };
}

function toCreateMove(subject: PushSubject, { mapping, ownerId }: PushRules): PushMove {
  const { email, leadId } = subject;
  const sides = listOutgoingSides(mapping, getPushedLead(subject.person), null);
  const fields = toFields(sides.filter(({ outgoing = null }) => outgoing !== null));
  const snapshot = sides.flatMap((side) => {
    const after = getSnapshotAfterPush(side, side.outgoing === undefined ? 'leave' : 'move', {});
    return after ? [[getSnapshotKey(side.rule), after] as const] : [];
  });
  const owner = ownerId === null ? {} : { ownerId };
  return {
    do: 'write',
    subject,
    write: { key: email, externalId: null, email, fields, ...owner },
    outcome: createOutcome('created', { email, leadId, ...toRefusedSides(sides), changes: { ...fields, ...owner } }),
    snapshot: Object.fromEntries(snapshot),
  };
}

function toUpdateMove(subject: PushSubject, there: CrmPerson, before: RemoteSnapshot, rules: PushRules): PushMove {
  const { email, leadId, person, link } = subject;
  const { externalId, updatedAt } = there;
  const decided = listOutgoingSides(rules.mapping, getPushedLead(person), there).map((side) => {
    const move = decidePush(side, before, rules.isFull);
    return { side, move, after: getSnapshotAfterPush(side, move, before) };
  });
  const snapshot = {
    ...before,
    ...Object.fromEntries(decided.flatMap(({ side, after }) => (after ? [[getSnapshotKey(side.rule), after]] : []))),
  };
  const fields = toFields(decided.filter(({ move }) => move === 'move').map(({ side }) => side));
  const owner = rules.ownerId !== null && there.ownerId === null ? { ownerId: rules.ownerId } : {};
  const conflicts = decided.filter(({ move }) => move === 'conflict').map(({ side }) => side.rule.crm);
  const changes = { ...fields, ...owner };
  const isChanged = Object.keys(changes).length > 0;
  const about = { email, leadId, externalId, changes: isChanged ? changes : null };
  const outcome = getUpdateOutcome(
    { about, conflicts, isChanged, isOurs: link?.externalId === '' },
    decided.map(({ side }) => side),
  );
  if (!isChanged) return { do: 'report', subject, outcome, link: { externalId, snapshot, remoteUpdatedAt: updatedAt } };
  return { do: 'write', subject, write: { key: email, externalId, email, fields, ...owner }, outcome, snapshot };
}

/** A person with only our mark was created by an unanswered write of ours. */
function getUpdateOutcome(
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
    return createOutcome('conflict', { ...about, reason: 'both_changed', message, field });
  }
  if (isOurs) return createOutcome('created', { ...about, reason: 'found_afterwards' });
  return createOutcome(isChanged ? 'updated' : 'unchanged', { ...about, ...toRefusedSides(sides) });
}

function listOutgoingSides(mapping: readonly MappingRule[], lead: PushedLead, there: CrmPerson | null): OutgoingSide[] {
  return filterPushRules(mapping, lead).map((rule) => {
    const local = getLeadText(lead, rule.lead);
    const converted = toCrmValue(rule, local);
    const outgoing = converted.ok ? converted.value : undefined;
    return { rule, local, remote: there ? getRemoteValue(rule, there) : null, outgoing };
  });
}

function toFields(sides: readonly OutgoingSide[]): Record<string, CrmValue> {
  return Object.fromEntries(sides.map(({ rule, outgoing = null }) => [rule.crm, outgoing]));
}

function toRefusedSides(sides: readonly OutgoingSide[]): Partial<SyncOutcome> {
  const field = sides.find(({ outgoing }) => outgoing === undefined)?.rule.crm;
  if (field === undefined) return {};
  return { reason: 'value_refused', message: 'The field of the CRM cannot have this value', field };
}
