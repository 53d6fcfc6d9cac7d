import { LanguageModelPort, LlmError } from '@adapters/llm';
import { ModelBudgetService } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { LogService } from '@platform/observability';
import { type Types } from 'mongoose';
import { type WarmupTextSource } from '../../schemas/warmup.record';
import { scriptOfModel, scriptQuestion } from '../../texts/script-question';
import { scriptFault } from '../../texts/text-fault';
import { libraryScript, type ThreadScript, type ThreadSeed } from '../../texts/thread-script';

/** Of a workspace's questions in a day: the other half is for what customers wait for, such as labels of replies. */
const BUDGET_SHARE = 0.5;

/** A thread to be written. */
export interface ScriptRequest extends ThreadSeed {
  /** Whose budget of questions it is: that of the mailbox that opens the thread. */
  readonly workspaceId: Types.ObjectId;
  readonly source: WarmupTextSource;
}

/** Writes the threads of warmup: by the language model where the mailbox wants that and there is one, else out of the library. */
@Injectable()
export class ThreadScriptsService {
  constructor(
    private readonly model: LanguageModelPort,
    private readonly budget: ModelBudgetService,
    private readonly log: LogService,
  ) {}

  /**
   * All mails of a thread, by one question at most. Whatever the model fails at, exceeds or does not keep to: then the
   * library writes it, so that there always is one. Keep it with the thread: asked again, a model writes another one.
   * @throws the reason of the signal, when that ended the call
   */
  async writeScript(request: ScriptRequest, signal?: AbortSignal): Promise<ThreadScript> {
    const { workspaceId, source } = request;
    const isAsked =
      source === 'model' && this.model.isConfigured && (await this.budget.reserveQuestion(workspaceId, BUDGET_SHARE));
    const written = isAsked ? await this.#askModel(request, signal) : null;
    return written ?? libraryScript(request);
  }

  async #askModel(request: ScriptRequest, signal?: AbortSignal): Promise<ThreadScript | null> {
    const { workspaceId, language } = request;
    try {
      const question = scriptQuestion(request);
      const { json, usage } = await this.model.complete({ ...question, signal });
      await this.budget.spend(workspaceId, usage);
      const script = scriptOfModel(json);
      const fault = script === null ? 'another form than asked for' : scriptFault(script, language);
      if (fault === null) return script;
      this.log.warn('The language model wrote no warmup thread that may be sent; the library does', {
        fault,
        language,
      });
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      const { reason, message } = error;
      this.log.warn('The language model wrote no warmup thread; the library does', { reason, what: message });
    }
    return null;
  }
}
