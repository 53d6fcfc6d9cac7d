import { Module } from '@nestjs/common';
import { AttentionSources } from './attention.sources';

/** The registry alone: whoever has something to say in reports needs nothing else of them. */
@Module({ providers: [AttentionSources], exports: [AttentionSources] })
export class AttentionSourcesModule {}
