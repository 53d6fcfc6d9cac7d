import { Injectable } from '@nestjs/common';
import { type EnrichmentType } from './enrichment-type';
import { type ItemHandler } from './item-handler';

/** The handler of each type of job. Handlers register when their module starts. */
@Injectable()
export class ItemHandlerRegistry {
  readonly #handlers = new Map<EnrichmentType, ItemHandler>();

  /** Call it once per type, when the module starts. */
  register(work: ItemHandler): void {
    if (this.#handlers.has(work.type)) throw new Error(`There are two handlers for jobs of type ${work.type}`);
    this.#handlers.set(work.type, work);
  }

  get(type: EnrichmentType): ItemHandler {
    const work = this.#handlers.get(type);
    if (!work) throw new Error(`There is no handler for jobs of type ${type}`);
    return work;
  }
}
