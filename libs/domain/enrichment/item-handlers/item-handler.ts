import { defineHook } from '@platform/hooks';
import { type Types } from 'mongoose';
import { type EnrichmentType } from './enrichment-type';

/** One address of a job, as a handler receives it. */
export interface WorkItem {
  readonly _id: Types.ObjectId;
  readonly workspaceId: Types.ObjectId;
  readonly jobId: Types.ObjectId;
  /** As given: it may be an invalid address, and even empty. */
  readonly email: string;
  /** The lead with this address; null for a listed address. */
  readonly leadId: Types.ObjectId | null;
  /** Number of attempts without an answer. */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** The job of the items. */
export interface EnrichmentJobRef {
  readonly _id: Types.ObjectId;
  readonly workspaceId: Types.ObjectId;
  /** The id in the API. */
  readonly code: string;
  readonly type: EnrichmentType;
  /** The campaign whose leads the items are; null for listed addresses. */
  readonly campaignId: Types.ObjectId | null;
  /** The time at which the job expires. */
  readonly expiresAt: Date;
}

/** The outcome of an attempt. */
export type ItemOutcome =
  | {
      readonly kind: 'done';
      readonly result: string;
      readonly reasons: readonly string[];
      /** Whether the answer is charged. */
      readonly isDecisive: boolean;
      readonly detail: Readonly<Record<string, unknown>>;
      readonly checkedAt: Date;
    }
  /** Retry at the given time, e.g. after greylisting. */
  | { readonly kind: 'later'; readonly at: Date; readonly reason: string }
  /** Retry at the given time without counting the attempt, because the provider requested a pause. */
  | { readonly kind: 'put_back'; readonly at: Date }
  /** Submitted to a tool that calls back; the item fails without a result by then. */
  | { readonly kind: 'handed'; readonly until: Date }
  | { readonly kind: 'failed'; readonly reason: string };

/** The final outcome of an item. */
export type FinalOutcome = Extract<ItemOutcome, { kind: 'done' | 'failed' }>;

/** Processes the items of one type of job. */
export interface ItemHandler {
  readonly type: EnrichmentType;
  /** First part of the job ids. */
  readonly prefix: string;
  /** Maximum number of items per run. */
  readonly chunk: number;
  /**
   * Throws the error of the response when the job cannot run at present. Called before a job is created, outside of
   * transactions.
   */
  requireReady?(workspaceId: string): Promise<void>;
  /**
   * The end of the cooldown of the workspace's jobs of this type; null without one. Read before items are claimed, so
   * that the wait costs no attempts.
   */
  cooldownUntil?(workspaceId: string): Promise<Date | null>;
  /**
   * Returns the outcome of each item by its id (hexadecimal); a missing item is retried later. After an abort, returns
   * the outcomes so far. The same item may come again after a crash of the worker.
   * @throws WorkImpossibleError when no item of the job can be processed: the job fails
   */
  run(
    items: readonly WorkItem[],
    job: EnrichmentJobRef,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ItemOutcome>>;
  /** The outcome of an item whose time ran out without an answer. */
  onExpired(item: WorkItem, now: Date): FinalOutcome;
}

/** The handler of each type of job. */
export const ITEM_HANDLERS = defineHook<ItemHandler>('enrichment-items', { key: 'type' });
