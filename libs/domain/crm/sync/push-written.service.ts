import { type CrmWritten } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { type CrmWorkContext } from '../work-partitions/crm-work-handler.registry';
import { CrmLinkRepository, type LinkChange } from '../links/crm-link.repository';
import { getKey } from './account-key';
import { type PushMove } from './push-plan';
import { getOutcome, type SyncOutcome } from './sync-outcome';
import { type WrittenMove, toWrittenMove } from './written-plan';

/** So long after a write of which nobody heard, the CRM shows everybody what became of it: its search may lag behind. */
export const SETTLED_MS = 120_000;

export type PushWrite = Extract<PushMove, { do: 'write' }>;
type Answered = { readonly write: PushWrite; readonly move: WrittenMove };

/** Keeps what the CRM said to writes. */
@Injectable()
export class PushWrittenService {
  constructor(
    private readonly links: CrmLinkRepository,
    private readonly clock: ClockPort,
  ) {}

  /** In a transaction. @returns what became of those to whom the job does not come back, and fields that there are no more */
  async save(
    lane: CrmWorkContext,
    job: CrmSyncJobRecord,
    writes: readonly PushWrite[],
    results: readonly CrmWritten[],
  ): Promise<{ outcomes: SyncOutcome[]; dropped: string[] }> {
    const byKey = new Map(results.map((result) => [result.key, result]));
    const answered = writes.map((write): Answered => {
      const { key } = write.write;
      const unheard = { key, kind: 'ambiguous', message: 'The CRM did not say what became of it' } as const;
      return { write, move: toWrittenMove(write, byKey.get(key) ?? unheard) };
    });
    const moves = await this.#withoutTaken(lane, answered);
    await this.#link(lane, moves);
    await this.#comeBack(lane, job, moves);
    return {
      outcomes: moves.flatMap(({ move }) => (move.do === 'again' ? [] : [move.outcome])),
      dropped: moves.flatMap(({ move }) => (move.do === 'again' && move.dropped !== null ? [move.dropped] : [])),
    };
  }

  async #link(lane: CrmWorkContext, moves: readonly Answered[]): Promise<void> {
    const key = getKey(lane);
    const told = moves.filter(({ move }) => move.do === 'tell').map(({ write }) => write.subject.email);
    await this.links.unmark(key, told);
    const changes = moves.flatMap(({ write, move }): LinkChange[] => {
      if (move.do !== 'link') return [];
      const { externalId, updatedAt } = move;
      const { email } = write.subject;
      return [{ email, externalId, seen: JSON.stringify(write.seen), remoteUpdatedAt: updatedAt }];
    });
    await this.links.put(key, changes);
  }

  async #comeBack(lane: CrmWorkContext, job: CrmSyncJobRecord, moves: readonly Answered[]): Promise<void> {
    const key = getKey(lane);
    for (const { write, move } of moves) {
      if (move.do !== 'again' || move.relink === null) continue;
      await this.links.relink(key, write.subject.email, move.relink);
    }
    const emails = (when: 'now' | 'settled') =>
      moves.flatMap(({ write, move }) => (move.do === 'again' && move.when === when ? [write.subject.email] : []));
    await this.links.postpone(key, job._id, emails('now'), this.clock.now());
    await this.links.postpone(key, job._id, emails('settled'), this.clock.in(SETTLED_MS));
  }

  /** A person of the CRM is linked with one address: whoever comes second is told apart. */
  async #withoutTaken(lane: CrmWorkContext, answered: readonly Answered[]): Promise<Answered[]> {
    const ids = answered.flatMap(({ move }) => idOf(move) ?? []);
    const owners = new Map(
      [...(await this.links.ofPeople(getKey(lane), ids))].map(([externalId, { email }]) => [externalId, email]),
    );
    return answered.map((one) => {
      const { email, leadId } = one.write.subject;
      const externalId = idOf(one.move);
      if (externalId === null) return one;
      const owner = owners.get(externalId) ?? email;
      owners.set(externalId, owner);
      if (owner === email) return one;
      const message = 'The person of the CRM who has this address is linked with another one';
      const about = { email, leadId, externalId, reason: 'linked_to_other_address' as const, message };
      return { ...one, move: { do: 'tell', outcome: getOutcome('conflict', about) } };
    });
  }
}

/** The person with whom the address is to be linked. */
function idOf(move: WrittenMove): string | null {
  if (move.do === 'link') return move.externalId;
  return move.do === 'again' && move.relink !== null && move.relink !== '' ? move.relink : null;
}
