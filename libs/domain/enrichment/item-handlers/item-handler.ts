import { type Types } from 'mongoose';
import { type EnrichmentType } from './enrichment-type';

/** One address of a job, as it is given to the work. */
export interface WorkItem {
  readonly _id: Types.ObjectId;
  readonly workspaceId: Types.ObjectId;
  readonly jobId: Types.ObjectId;
  /** As it was given: it may be no address at all, and even empty. */
  readonly email: string;
  /** The lead that it is about; null for an address that was only given. */
  readonly leadId: Types.ObjectId | null;
  /** Times that it was asked about before without an answer; 0 the first time. */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** The job that items belong to. */
export interface EnrichmentJobRef {
  readonly _id: Types.ObjectId;
  readonly workspaceId: Types.ObjectId;
  /** The id that clients know. */
  readonly code: string;
  readonly type: EnrichmentType;
  /** The campaign whose leads the items are; null for addresses that were only given. */
  readonly campaignId: Types.ObjectId | null;
  /** From then on the job is gone. */
  readonly expiresAt: Date;
}

/** What became of an item. */
export type ItemOutcome =
  | {
      readonly kind: 'done';
      readonly result: string;
      readonly reasons: readonly string[];
      /** Whether it is an answer that is paid for. */
      readonly isDecisive: boolean;
      readonly detail: Readonly<Record<string, unknown>>;
      readonly checkedAt: Date;
    }
  /** To be taken up again, not before then; e.g. greylisting. */
  | { readonly kind: 'later'; readonly at: Date; readonly reason: string }
  /** As if it had not been taken up, and not before then: whoever is asked wants to be let alone, which is not the item's fault. */
  | { readonly kind: 'put_back'; readonly at: Date }
  /** Given to a tool that calls back; if nothing came by then, it failed. */
  | { readonly kind: 'handed'; readonly until: Date }
  | { readonly kind: 'failed'; readonly reason: string };

/** How an item may end. */
export type FinalOutcome = Extract<ItemOutcome, { kind: 'done' | 'failed' }>;

/** The work of one type of job. */
export interface ItemHandler {
  readonly type: EnrichmentType;
  /** The first part of the ids of its jobs. */
  readonly prefix: string;
  /** Items that one worker takes up at once. */
  readonly chunk: number;
  /**
   * Called before a job is created: says that it could not be carried out as things stand, by an error for the client.
   * Called outside of a transaction.
   */
  requireReady?(workspaceId: string): Promise<void>;
  /**
   * Until when the workspace's jobs of this type are let alone, because whoever is asked wants it so; null for not at all. Asked
   * before items are taken in hand: none of them has lost one of its attempts by the wait.
   */
  cooldownUntil?(workspaceId: string): Promise<Date | null>;
  /**
   * What becomes of each item, by the id of the item (hexadecimal); one that is left out is taken up again later. When the signal is
   * aborted it answers soon with what it has. It may be asked about the same item more than once: a worker may die between the work
   * and what is written of it.
   * @throws WorkImpossibleError when no item of the job can be carried out: the job has failed
   */
  run(
    items: readonly WorkItem[],
    job: EnrichmentJobRef,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ItemOutcome>>;
  /** What an item ends with whose time ran out before there was an answer. */
  onExpired(item: WorkItem, now: Date): FinalOutcome;
}

/** None of the items of a job can be carried out; `message` says why, to people. */
export class WorkImpossibleError extends Error {
  override readonly name = 'WorkImpossibleError';

  constructor(
    /** For programs, e.g. `TOOL_NOT_CONFIGURED`. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}
