import { Global, Module } from '@nestjs/common';
import { Clock } from '@platform/clock';
import { Config } from '@platform/config';
import { OutboundHttp } from '@platform/outbound';
import { OpenAiModel } from './openai/openai.driver';
import { LanguageModel } from './port/language.model';

const MODEL_HTTP = Symbol('the way to the language model');

/** Offers the language model that the operator has chosen, if any. */
@Global()
@Module({
  providers: [
    {
      // The address is the operator's own and no user's: a model in the same network is what many want.
      provide: MODEL_HTTP,
      useFactory: () => new OutboundHttp({ allowPrivate: true }),
    },
    {
      provide: LanguageModel,
      useFactory: (http: OutboundHttp, config: Config, clock: Clock) =>
        new OpenAiModel(
          http,
          {
            baseUrl: config.llmBaseUrl,
            apiKey: config.llmApiKey,
            model: config.llmModel,
            timeoutMs: config.llmTimeoutMs,
          },
          () => clock.now(),
        ),
      inject: [MODEL_HTTP, Config, Clock],
    },
  ],
  exports: [LanguageModel],
})
export class LlmModule {}
