import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model, Types } from 'mongoose';
import { type BounceCount } from '../rate/bounce-rate';
import { BounceTallyRecord } from '../schemas/bounce-tally.record';
import { getSubjectName, getWindowStart } from './bounce-tally';

interface Row extends BounceCount {
  readonly _id: string;
}

/** Counted sends and bounces of domains. */
@Injectable()
export class BounceTallyRepository {
  constructor(
    @InjectModel(BounceTallyRecord.name) private readonly tallies: Model<BounceTallyRecord>,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Returns the emails of the last 28 days and their bounces, by domain. Domains without emails, and free mail domains, are
   * missing.
   */
  async countByDomain(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    domains: readonly string[],
  ): Promise<Map<string, BounceCount>> {
    const names = new Map(domains.map((domain) => [getSubjectName({ kind: 'domain', key: domain }), domain]));
    const rows = await this.tallies.aggregate<Row>([
      {
        $match: {
          workspaceId: new Types.ObjectId(workspaceId),
          subject: { $in: [...names.keys()] },
          day: { $gte: getWindowStart(this.clock.now()) },
        },
      },
      { $group: { _id: '$subject', sends: { $sum: '$sends' }, bounces: { $sum: '$bounces' } } },
    ]);
    return new Map(
      rows.flatMap(({ _id, sends, bounces }) => {
        const domain = names.get(_id);
        return domain === undefined ? [] : [[domain, { sends, bounces }] as const];
      }),
    );
  }
}
