import { Module } from '@nestjs/common';
import { AttentionSourceRegistry } from './attention-source.registry';

/** Provides only the registry: domains that add attention items need nothing else of reports. */
@Module({ providers: [AttentionSourceRegistry], exports: [AttentionSourceRegistry] })
export class AttentionSourcesModule {}
