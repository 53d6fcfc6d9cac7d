import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { ClusterMemberRecord } from './cluster-member.record';

/**
 * Who takes part in a kind of work that is divided among processes by `getOwner`. Members are timed by the database's
 * clock. During a change two processes may think that a key is theirs for a moment: what they do with it must bear that.
 */
@Injectable()
export class ClusterMembershipService {
  constructor(@InjectModel(ClusterMemberRecord.name) private readonly members: Model<ClusterMemberRecord>) {}

  /**
   * Says that `member` takes part for the next `milliseconds`, and who else does.
   * @returns the members that are alive, this one included
   */
  async join(work: string, member: string, milliseconds: number): Promise<string[]> {
    const self = await this.members.findOneAndUpdate(
      { _id: member },
      [{ $set: { work, expiresAt: { $add: ['$$NOW', milliseconds] } } }],
      { upsert: true, returnDocument: 'after', lean: true, updatePipeline: true },
    );
    // The database's own time: not every server knows $$NOW in a find.
    const now = new Date((self?.expiresAt.getTime() ?? 0) - milliseconds);
    const alive = await this.members.find({ work, expiresAt: { $gt: now } }, { _id: 1 }).lean<{ _id: string }[]>();
    return alive.map(({ _id }) => _id);
  }

  /** How many members are alive in all; of a process that died one is counted until its time is over. */
  async size(): Promise<number> {
    // The database's own time, which not every server knows in a `$match`.
    const [found] = await this.members.aggregate<{ count: number }>([
      { $set: { isAlive: { $gt: ['$expiresAt', '$$NOW'] } } },
      { $match: { isAlive: true } },
      { $count: 'count' },
    ]);
    return found?.count ?? 0;
  }

  /** Gives its share back at once. */
  async leave(member: string): Promise<void> {
    await this.members.deleteOne({ _id: member });
  }
}
