import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { HoldRecord } from './hold.record';
import { Hold } from './hold.service';

@Module({ imports: [DatabaseModule.collections(HoldRecord)], providers: [Hold], exports: [Hold] })
export class HoldModule {}
