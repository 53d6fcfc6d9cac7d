import { type CallToolResult } from '@modelcontextprotocol/server';
import { type McpConfig } from '@platform/config';
import { type LogService } from '@platform/observability';
import { cleanResult } from '../results/clean-result';
import { fitResult } from '../results/fit-result';
import { toRefusedResult, getResult, type ResultData } from '../results/results';
import { type PlatformClient } from '../platform/platform.client';
import { ToolRefusedError } from '../platform/tool-refused.errors';
import { pickArguments, getRequest, type ToolRequest } from './request';
import { type PlatformTool, type Route } from './tool';

type Arguments = Readonly<Record<string, unknown>>;

/** Retries of a list with fewer records, each of which may have grown in between. */
const MAX_FEWER = 3;

/** Executes tool calls. */
export class ToolCaller {
  constructor(
    private readonly platform: Pick<PlatformClient, 'request'>,
    private readonly config: Pick<McpConfig, 'timeoutMs'>,
    private readonly log: LogService,
  ) {}

  /**
   * Returns the result; refusals are results too.
   * @param cancelled aborts when the caller no longer waits
   * @throws the reason of `cancelled`
   */
  async run(tool: PlatformTool, input: Arguments, cancelled: AbortSignal): Promise<CallToolResult> {
    const began = performance.now();
    const outcome = await this.#execute(tool, input, cancelled);
    const ms = Math.round(performance.now() - began);
    // Logs neither arguments nor results: they contain personal data.
    if (outcome instanceof ToolRefusedError)
      this.log.info('Refused', { tool: tool.name, code: outcome.fields.code, ms });
    else this.log.info('Answered', { tool: tool.name, ms });
    return outcome instanceof ToolRefusedError ? toRefusedResult(outcome) : getResult(tool, outcome);
  }

  async #execute(tool: PlatformTool, input: Arguments, cancelled: AbortSignal): Promise<ResultData | ToolRefusedError> {
    const timer = AbortSignal.timeout(this.config.timeoutMs);
    try {
      return await this.#callPlatform(tool, input, AbortSignal.any([cancelled, timer]));
    } catch (error) {
      cancelled.throwIfAborted();
      if (timer.aborted) return this.#tooLate(tool);
      if (error instanceof ToolRefusedError) return error;
      this.log.error('A tool failed', error, { tool: tool.name });
      throw error;
    }
  }

  async #callPlatform(tool: PlatformTool, input: Arguments, signal: AbortSignal): Promise<ResultData> {
    const request = toRequest(tool.route, input);
    await this.#requirePrecondition(tool, input, signal);
    // Only with a cursor: with another page size, numbered pages would not match the request.
    const mayAskForFewer = tool.route.places.get('cursor') === 'query' && tool.annotations.readOnlyHint;
    let answer = await this.platform.request(request, signal);
    for (let times = 0; ; times++) {
      const fit = fitResult(cleanResult(answer.data, tool.hides), {
        mayAskForFewer: mayAskForFewer && times < MAX_FEWER,
      });
      if (fit.kind === 'fits') return { ...answer, data: fit.data, isCut: fit.isCut };
      if (fit.kind === 'too-large') {
        const message = 'The result is too large: request a shorter period or a single record';
        throw new ToolRefusedError({ code: 'ANSWER_TOO_LARGE', message });
      }
      answer = await this.platform.request(toRequest(tool.route, { ...input, limit: fit.limit }), signal);
    }
  }

  /** Checked just before the call: a person who starts the campaign in between starts it with these leads. */
  async #requirePrecondition({ precondition }: PlatformTool, input: Arguments, signal: AbortSignal): Promise<void> {
    if (!precondition) return;
    const { route, field, is, otherwise } = precondition;
    const { data } = await this.platform.request(toRequest(route, pickArguments(route, input)), signal);
    const value = String((data as Arguments | null)?.[field]);
    if (!is.includes(value)) throw new ToolRefusedError({ code: 'NOT_NOW', message: `${otherwise} (it is ${value})` });
  }

  #tooLate({ annotations }: PlatformTool): ToolRefusedError {
    const { timeoutMs } = this.config;
    const unknown = annotations.readOnlyHint ? '' : ' It may still have been done: check before you retry.';
    return new ToolRefusedError({
      code: 'TIMEOUT',
      message: `There was no response within ${timeoutMs} ms.${unknown}`,
    });
  }
}

function toRequest(route: Route, input: Arguments): ToolRequest {
  try {
    return getRequest(route, input);
  } catch (error) {
    throw new ToolRefusedError({
      code: 'INVALID_ARGUMENT',
      message: error instanceof Error ? error.message : String(error),
    });
  }
}
