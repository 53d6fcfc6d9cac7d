import { Config } from '@platform/config';
import { Module } from '@nestjs/common';
import { TrackingTokens } from './tracking.tokens';
import { TrackingUrls } from './tracking.urls';

@Module({
  providers: [
    TrackingTokens,
    {
      provide: TrackingUrls,
      useFactory: (tokens: TrackingTokens, config: Config) => new TrackingUrls(tokens, config.publicUrl),
      inject: [TrackingTokens, Config],
    },
  ],
  exports: [TrackingTokens, TrackingUrls],
})
export class TrackingModule {}
