import { Module } from '@nestjs/common';
import { AttentionSourceRegistry } from './attention-source.registry';

/** The registry alone: whoever has something to say in reports needs nothing else of them. */
@Module({ providers: [AttentionSourceRegistry], exports: [AttentionSourceRegistry] })
export class AttentionSourcesModule {}
