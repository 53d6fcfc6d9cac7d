import { type CallToolResult } from '@modelcontextprotocol/server';
import { type McpConfig } from '@platform/config';
import { type LogService } from '@platform/observability';
import { cleaned } from '../results/clean-result';
import { fitted } from '../results/fit-result';
import { refusedResult, getResult, type ResultData } from '../results/results';
import { type PlatformClient } from '../platform/platform.client';
import { ToolRefusedError } from '../platform/refusal';
import { argumentsFor, getRequest, type ToolRequest } from './request';
import { type PlatformTool, type Route } from './tool';

type Arguments = Readonly<Record<string, unknown>>;

/** Times that a list is asked for fewer records, each of which may have grown meanwhile. */
const MAX_FEWER = 3;

/** Carries out what a tool is asked for. */
export class ToolCaller {
  constructor(
    private readonly platform: Pick<PlatformClient, 'ask'>,
    private readonly config: Pick<McpConfig, 'timeoutMs'>,
    private readonly log: LogService,
  ) {}

  /**
   * The result, refusals included.
   * @param cancelled aborted when nobody waits for it any more
   * @throws the reason of `cancelled`
   */
  async run(tool: PlatformTool, given: Arguments, cancelled: AbortSignal): Promise<CallToolResult> {
    const began = performance.now();
    const outcome = await this.#outcome(tool, given, cancelled);
    const ms = Math.round(performance.now() - began);
    // Neither arguments nor answers: they are about people.
    if (outcome instanceof ToolRefusedError)
      this.log.info('Refused', { tool: tool.name, code: outcome.fields.code, ms });
    else this.log.info('Answered', { tool: tool.name, ms });
    return outcome instanceof ToolRefusedError ? refusedResult(outcome) : getResult(tool, outcome);
  }

  async #outcome(tool: PlatformTool, given: Arguments, cancelled: AbortSignal): Promise<ResultData | ToolRefusedError> {
    const timer = AbortSignal.timeout(this.config.timeoutMs);
    try {
      return await this.#ask(tool, given, AbortSignal.any([cancelled, timer]));
    } catch (error) {
      cancelled.throwIfAborted();
      if (timer.aborted) return this.#tooLate(tool);
      if (error instanceof ToolRefusedError) return error;
      this.log.error('A tool failed', error, { tool: tool.name });
      throw error;
    }
  }

  async #ask(tool: PlatformTool, given: Arguments, signal: AbortSignal): Promise<ResultData> {
    const request = requestOf(tool.route, given);
    await this.#permit(tool, given, signal);
    // Only behind a cursor: with fewer records on each, numbered pages would be others than those that were asked for.
    const mayAskForFewer = tool.route.places.get('cursor') === 'query' && tool.annotations.readOnlyHint;
    let answer = await this.platform.ask(request, signal);
    for (let times = 0; ; times++) {
      const fit = fitted(cleaned(answer.data, tool.hides), { mayAskForFewer: mayAskForFewer && times < MAX_FEWER });
      if (fit.kind === 'fits') return { ...answer, data: fit.data, isCut: fit.isCut };
      if (fit.kind === 'too-large') {
        const message = 'The answer is too large to be read: ask for a shorter time or for one record';
        throw new ToolRefusedError({ code: 'ANSWER_TOO_LARGE', message });
      }
      answer = await this.platform.ask(requestOf(tool.route, { ...given, limit: fit.limit }), signal);
    }
  }

  /** Looked at just before: whoever starts the campaign in between, starts it with these leads. */
  async #permit({ precondition }: PlatformTool, given: Arguments, signal: AbortSignal): Promise<void> {
    if (!precondition) return;
    const { route, field, is, otherwise } = precondition;
    const { data } = await this.platform.ask(requestOf(route, argumentsFor(route, given)), signal);
    const value = String((data as Arguments | null)?.[field]);
    if (!is.includes(value)) throw new ToolRefusedError({ code: 'NOT_NOW', message: `${otherwise} (it is ${value})` });
  }

  #tooLate({ annotations }: PlatformTool): ToolRefusedError {
    const { timeoutMs } = this.config;
    const unknown = annotations.readOnlyHint ? '' : ' It may have been done all the same: look before you ask again.';
    return new ToolRefusedError({ code: 'TIMEOUT', message: `There was no answer within ${timeoutMs} ms.${unknown}` });
  }
}

function requestOf(route: Route, given: Arguments): ToolRequest {
  try {
    return getRequest(route, given);
  } catch (error) {
    throw new ToolRefusedError({
      code: 'INVALID_ARGUMENT',
      message: error instanceof Error ? error.message : String(error),
    });
  }
}
