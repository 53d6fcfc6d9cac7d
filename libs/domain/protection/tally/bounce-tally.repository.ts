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

/** What was sent from domains and what came back, as protection counts it. */
@Injectable()
export class BounceTallyRepository {
  constructor(
    @InjectModel(BounceTallyRecord.name) private readonly tallies: Model<BounceTallyRecord>,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Emails of the last 28 days and those of them that came back, by domain. A domain that nothing was sent from is not among
   * them, and none of free mail: that is nobody's own, and not counted.
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
