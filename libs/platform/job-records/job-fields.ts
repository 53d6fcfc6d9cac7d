import { Prop } from '@nestjs/mongoose';
import { WorkPartitionFields } from '@platform/work-partitions';

/**
 * Long work that a user starts and watches: a work partition with progress and a result. It ends once, with any outcome; a
 * domain adds its progress and its result, and creates it with `nextAt`.
 */
export abstract class JobFields extends WorkPartitionFields {
  /** Whether it has not ended. */
  @Prop({ type: Boolean, required: true, default: true })
  open!: boolean;

  /** Runs since the last progress: a job that crashes its workers fails. */
  @Prop({ type: Number, required: true, default: 0 })
  attempts!: number;

  @Prop({ type: Date, default: null })
  startedAt!: Date | null;

  /** When it ended, with any outcome. */
  @Prop({ type: Date, default: null })
  completedAt!: Date | null;
}
