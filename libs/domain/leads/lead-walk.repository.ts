import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { LeadRecord } from './schemas/lead.record';

/** Where somebody is among the leads. */
export type LeadPlace = Pick<LeadRecord, '_id' | 'createdAt'>;

/** Goes through leads by key, newest first, as the list does: constant memory, and no cursor that a slow reader outlives. */
@Injectable()
export class LeadWalkRepository {
  constructor(@InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>) {}

  /**
   * The leads that match, in batches. Leads that are added meanwhile are not among them; one that changes meanwhile is in it
   * once or not at all.
   * @param filter with workspace and campaign
   * @param fields what is read of each lead; all fields when left out
   * @param after the lead behind which it begins; none: with the newest
   */
  async *batches<F extends keyof LeadRecord>(
    filter: Record<string, unknown>,
    size: number,
    fields?: readonly F[],
    after?: LeadPlace,
  ): AsyncGenerator<Pick<LeadRecord, F | '_id' | 'createdAt'>[]> {
    const projection = fields && Object.fromEntries(['createdAt', ...fields].map((field) => [field, 1]));
    let last = after;
    for (;;) {
      const batch = await this.leads
        .find((last ? beyond(filter, last) : filter) as never, projection)
        .sort({ createdAt: -1, _id: -1 })
        .limit(size)
        .lean<Pick<LeadRecord, F | '_id' | 'createdAt'>[]>();
      if (batch.length > 0) yield batch;
      if (batch.length < size) return;
      last = batch.at(-1);
    }
  }
}

/** As `PageService` writes it: a range with a tie-break, which goes along the index. */
function beyond(
  { $and = [], ...filter }: { $and?: unknown[] } & Record<string, unknown>,
  { createdAt, _id }: { createdAt: Date; _id: Types.ObjectId },
) {
  const place = { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }] };
  return { ...filter, $and: [...$and, place] };
}
