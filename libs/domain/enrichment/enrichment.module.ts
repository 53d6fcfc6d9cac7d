import { Module } from '@nestjs/common';
import { ItemWorks } from './work/item.works';

const offered = [ItemWorks];

@Module({ providers: [...offered], exports: offered })
export class EnrichmentModule {}
