import { Global, Module } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { MetricsService } from '@platform/observability';
import { OutboundHttpClient } from '@platform/outbound';
import { MeasuredModelDriver } from './measured-model.driver';
import { OpenAiDriver } from './openai/openai.driver';
import { LanguageModelPort } from './port/language-model.port';

const MODEL_HTTP = Symbol('the way to the language model');

/** Provides the language model that the operator has configured, if any. */
@Global()
@Module({
  providers: [
    {
      // The operator sets the URL, not a user: many operators run the model in a private network.
      provide: MODEL_HTTP,
      useFactory: () => new OutboundHttpClient({ allowPrivate: true }),
    },
    {
      provide: LanguageModelPort,
      useFactory: (http: OutboundHttpClient, config: Config, clock: ClockPort, metrics: MetricsService) => {
        const model = new OpenAiDriver(
          http,
          {
            baseUrl: config.llmBaseUrl,
            apiKey: config.llmApiKey,
            model: config.llmModel,
            timeoutMs: config.llmTimeoutMs,
          },
          () => clock.now(),
        );
        const prices = { input: config.llmInputPrice, output: config.llmOutputPrice };
        return new MeasuredModelDriver(model, metrics, prices);
      },
      inject: [MODEL_HTTP, Config, ClockPort, MetricsService],
    },
  ],
  exports: [LanguageModelPort],
})
export class LlmModule {}
