import { Global, Module } from '@nestjs/common';
import { Config } from './config';
import { loadConfig } from './load-config';

@Global()
@Module({ providers: [{ provide: Config, useFactory: () => loadConfig() }], exports: [Config] })
export class ConfigModule {}
