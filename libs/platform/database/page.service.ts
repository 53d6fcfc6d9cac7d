import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { invalidField } from '@platform/errors';
import { TokenSignerService } from '@platform/secrets';
import { type Model, Types } from 'mongoose';

export interface PageRequest {
  /** 1 to 100, already validated. */
  limit: number;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
}

export interface Page<T> {
  items: T[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}

export type PageOrder = 'newest' | 'oldest';

interface Dated {
  _id: Types.ObjectId;
  createdAt: Date;
}

interface Position {
  at: number;
  id: string;
  of: string;
}

const PURPOSE = 'cursor';

/** Reads lists page by page: keyset pagination by a date (`createdAt` by default) and `_id`, never by skipping. */
@Injectable()
export class PageService {
  constructor(private readonly signer: TokenSignerService) {}

  /**
   * Returns one page of the records that match `filter`, each mapped by `map`. A cursor is bound to `scope` (the workspace or
   * user), the collection, the filter and the order, and refused for another list.
   * @throws VALIDATION_ERROR for a cursor that was tampered with or belongs to another list
   */
  async read<T extends Dated, R>(
    model: Model<T>,
    query: {
      scope: string;
      filter: Record<string, unknown>;
      order?: PageOrder;
      /** The date field of the order; each record needs it, and an index on it and `_id`. Default: `createdAt`. */
      by?: Extract<keyof T, string>;
      /** Stored fields that `map` does not read and that are not loaded. */
      without?: readonly string[];
      /** The total number of matches where it is known without a count. */
      total?: () => Promise<number>;
      page: PageRequest;
    },
    map: (record: T) => R,
  ): Promise<Page<R>> {
    const { scope, filter, order = 'newest', by = 'createdAt', without = [], total: known, page } = query;
    const listId = getFingerprint([model.collection.name, scope, order, by, filter]);
    const after = page.cursor === undefined ? undefined : this.#open(page.cursor, listId);
    const direction = order === 'newest' ? -1 : 1;
    const found = await model
      .find(
        (after ? { ...filter, $and: [...getConditions(filter), toPositionFilter(after, by, order)] } : filter) as never,
      )
      .select(without.map((field) => `-${field}`))
      .sort({ [by]: direction, _id: direction } as never)
      .limit(page.limit + 1)
      .lean<T[]>();
    const hasMore = found.length > page.limit;
    // A list that ends on its first page needs no count.
    const isAll = after === undefined && !hasMore;
    const count = known ?? (() => model.countDocuments(filter as never));
    const total = isAll ? found.length : await count();
    const records = hasMore ? found.slice(0, page.limit) : found;
    const last = records.at(-1);
    const nextCursor =
      hasMore && last ? this.#seal({ at: getTime(last, by), id: last._id.toHexString(), of: listId }) : null;
    return { items: records.map(map), pagination: { limit: page.limit, total, hasMore, nextCursor } };
  }

  #seal(position: Position): string {
    return this.signer.sign(PURPOSE, JSON.stringify(position));
  }

  #open(cursor: string, listId: string): Position {
    const payload = this.signer.verify(PURPOSE, cursor);
    const position = payload === null ? undefined : (JSON.parse(payload.toString('utf8')) as Position);
    if (position?.of !== listId) throw invalidField('cursor', 'cursor does not belong to this list');
    return position;
  }
}

/** The filter's own `$and`, which the position extends. */
function getConditions({ $and = [] }: { $and?: unknown[] }): unknown[] {
  return $and;
}

/** A range and a tie-break: a bare `$or` would not use the order of the index. */
function toPositionFilter({ at, id }: Position, by: string, order: PageOrder): Record<string, unknown> {
  const [strictly, orEqual] = order === 'newest' ? ['$lt', '$lte'] : ['$gt', '$gte'];
  const date = new Date(at);
  return {
    [by]: { [orEqual]: date },
    $or: [{ [by]: { [strictly]: date } }, { _id: { [strictly]: new Types.ObjectId(id) } }],
  };
}

function getTime<T>(record: T, by: keyof T): number {
  return (record[by] as Date).getTime();
}

function getFingerprint(parts: unknown): string {
  const text = JSON.stringify(parts, (_key, value: unknown) => (value instanceof RegExp ? value.toString() : value));
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
