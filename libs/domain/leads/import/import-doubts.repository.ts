import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { LeadImportRepository } from './lead-import.repository';
import { type ImportProblem, LeadImportRecord } from './schemas/lead-import.record';

const MAY_BE_DONE: ImportProblem = {
  code: 'RESTORED',
  message:
    'The database was restored from a backup in which this import was not done: its leads may have been written to since. Import the file again once you know',
};

/** Imports of which it is not known what became of them: those of a database that was restored. */
@Injectable()
export class ImportDoubtsRepository {
  constructor(
    @InjectModel(LeadImportRecord.name) private readonly imports: Model<LeadImportRecord>,
    private readonly states: LeadImportRepository,
  ) {}

  /**
   * Ends what was open in the workspace then: it would make leads, as if new, of people who may have been written to. Repeat
   * it after a failure.
   * @returns how many
   */
  async setAside(workspaceId: string, until: Date): Promise<number> {
    // Few: a workspace has ten at one time.
    const open = await this.imports
      .find({ workspaceId, open: true, createdAt: { $lte: until } }, { workspaceId: 1 })
      .lean<Pick<LeadImportRecord, '_id' | 'workspaceId'>[]>();
    for (const one of open) {
      await this.states.fail(one, MAY_BE_DONE);
      await this.states.removeFile(one);
    }
    return open.length;
  }
}
