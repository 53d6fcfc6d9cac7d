import { type CrmPerson } from '@adapters/crm';
import { type FoundValue } from '@domain/leads';
import { parseEmailAddress } from '@platform/validation';
import { type Types } from 'mongoose';
import { type CrmLinkRecord } from '../links/schemas/crm-link.record';
import { getDigest, type RemoteSnapshot, getSnapshotKey, parseSnapshot } from '../links/remote-snapshot';
import { type MappingRule } from '../mapping/field-rule';
import { getLeadText } from '../mapping/pushed-lead';
import { findCampaignLead, type SyncLead, type SyncPerson, getLeadValue } from '../people/sync-person';
import { getIncomingValue, getPushedLead, getRemoteValue } from './rule-values';
import { type IncomingSide, decidePull, getSnapshotAfterPull } from './field-merge';
import { createOutcome, type SyncOutcome } from './sync-outcome';

export const OPTED_OUT = 'The person has opted out of email in the CRM';

/** Links and leads of the people of a batch. */
export interface PullKnown {
  readonly links: ReadonlyMap<string, CrmLinkRecord>;
  readonly linksByEmail: ReadonlyMap<string, CrmLinkRecord>;
  readonly people: ReadonlyMap<string, SyncPerson>;
}

export interface PullRules {
  readonly campaignId: Types.ObjectId;
  readonly mapping: readonly MappingRule[];
  readonly isFull: boolean;
}

/** The action for one CRM person. */
export type PullMove =
  | { readonly do: 'report'; readonly outcome: SyncOutcome }
  | {
      readonly do: 'insert';
      readonly email: string;
      readonly person: CrmPerson;
      readonly values: readonly FoundValue[];
      readonly snapshot: RemoteSnapshot;
      /** A field with an unsuitable value; empty without one. */
      readonly refused: string;
    }
  | {
      readonly do: 'fill';
      readonly email: string;
      readonly person: CrmPerson;
      readonly lead: SyncLead;
      readonly values: readonly FoundValue[];
      readonly conflicts: readonly string[];
      readonly snapshot: RemoteSnapshot;
      readonly refused: string;
    };

/** The normalized valid addresses of a person, main one first. */
export function listPersonAddresses({ emails }: CrmPerson): string[] {
  const parsed = emails.map((email) => parseEmailAddress(email));
  return [...new Set(parsed.flatMap((one) => (one.ok ? [one.address] : [])))];
}

/** The identifying address of a person: that of its link if it still has it, else its main one. Undefined without any. */
export function getKnownAddress(person: CrmPerson, link: CrmLinkRecord | undefined): string | undefined {
  const addresses = listPersonAddresses(person);
  return addresses.find((address) => address === link?.email) ?? addresses[0];
}

/**
 * Decides the action for a CRM person. Pure.
 * @param taken addresses of earlier people of this batch
 */
export function decidePullMove(
  person: CrmPerson,
  known: PullKnown,
  taken: ReadonlySet<string>,
  rules: PullRules,
): PullMove {
  const { externalId } = person;
  const link = known.links.get(externalId);
  const email = getKnownAddress(person, link);
  if (email === undefined) {
    const reason = person.emails.length === 0 ? 'no_address' : 'invalid_address';
    return { do: 'report', outcome: createOutcome('skipped', { externalId, reason }) };
  }
  const here = known.people.get(email);
  const lead = here && findCampaignLead(here, rules.campaignId);
  const about = { externalId, email: here && here.leads.length > 0 ? email : '', leadId: lead?._id ?? null };
  if (person.isOptedOut === true) {
    return { do: 'report', outcome: createOutcome('skipped', { ...about, reason: 'opted_out', message: OPTED_OUT }) };
  }
  const other = known.linksByEmail.get(email);
  if (taken.has(email) || (other && other.externalId !== '' && other.externalId !== externalId)) {
    const message = `Another person of the CRM has this address${other ? `: ${other.externalId}` : ''}`;
    return { do: 'report', outcome: createOutcome('conflict', { ...about, reason: 'duplicate_in_crm', message }) };
  }
  if (here?.removedFrom.has(rules.campaignId.toHexString()) === true) {
    return { do: 'report', outcome: createOutcome('skipped', { ...about, reason: 'removed_from_campaign' }) };
  }
  if (!here || !lead) {
    if (here?.isSuppressed === true) {
      return { do: 'report', outcome: createOutcome('skipped', { ...about, reason: 'suppressed' }) };
    }
    return toInsertMove(person, email, rules);
  }
  return toFillMove(person, { email, here, lead, link: link ?? other }, rules);
}

function toInsertMove(person: CrmPerson, email: string, { mapping }: PullRules): PullMove {
  const sides = listIncomingSides(mapping, person);
  const filled = sides.filter(({ incoming }) => incoming !== null && incoming !== '');
  const snapshot = sides.map(
    (side) => [getSnapshotKey(side.rule), [getDigest(side.incoming), getDigest(side.remote)]] as const,
  );
  return {
    do: 'insert',
    email,
    person,
    values: filled.map(({ rule, incoming }) => ({ name: rule.lead, value: incoming ?? '' })),
    snapshot: Object.fromEntries(snapshot),
    refused: findRefusedField(sides),
  };
}

function toFillMove(
  person: CrmPerson,
  { email, here, lead, link }: { email: string; here: SyncPerson; lead: SyncLead; link: CrmLinkRecord | undefined },
  { mapping, isFull }: PullRules,
): PullMove {
  const before = parseSnapshot(link?.remoteSnapshot ?? '{}');
  const isEcho = link?.remoteUpdatedAt ? person.updatedAt <= link.remoteUpdatedAt : false;
  const whole = getPushedLead(here);
  const decided = listIncomingSides(mapping, person).map((one) => {
    const { lead: name } = one.rule;
    const side: IncomingSide = { ...one, here: getLeadValue(lead, name), local: getLeadText(whole, name) };
    const move = decidePull(side, before, { isFull, isEcho });
    return { side, move, after: getSnapshotAfterPull(side, move, before) };
  });
  const snapshot = decided.flatMap(({ side, after }) => (after ? [[getSnapshotKey(side.rule), after] as const] : []));
  return {
    do: 'fill',
    email,
    person,
    lead,
    values: decided
      .filter(({ move }) => move === 'move')
      .map(({ side: { rule, incoming } }) => ({ name: rule.lead, value: incoming ?? '' })),
    conflicts: decided.filter(({ move }) => move === 'conflict').map(({ side }) => side.rule.lead),
    // A pull ignores push-only rules.
    snapshot: { ...before, ...Object.fromEntries(snapshot) },
    refused: findRefusedField(decided.map(({ side }) => side)),
  };
}

/** The fields of a pull. */
function listIncomingSides(mapping: readonly MappingRule[], person: CrmPerson) {
  return mapping
    .filter(({ direction }) => direction !== 'push')
    .map((rule) => ({ rule, remote: getRemoteValue(rule, person), incoming: getIncomingValue(rule, person) }));
}

function findRefusedField(sides: readonly Pick<IncomingSide, 'rule' | 'incoming'>[]): string {
  return sides.find(({ incoming }) => incoming === null)?.rule.lead ?? '';
}
