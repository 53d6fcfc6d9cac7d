import { Injectable } from '@nestjs/common';
import { type EnrichmentType } from './enrichment.type';
import { type ItemWork } from './item.work';

/** Who carries out which type of job: each registers itself when its module starts. */
@Injectable()
export class ItemWorks {
  readonly #works = new Map<EnrichmentType, ItemWork>();

  /** Call it once per type, when the module starts. */
  register(work: ItemWork): void {
    if (this.#works.has(work.type)) throw new Error(`There are two works for jobs of type ${work.type}`);
    this.#works.set(work.type, work);
  }

  of(type: EnrichmentType): ItemWork {
    const work = this.#works.get(type);
    if (!work) throw new Error(`There is no work for jobs of type ${type}`);
    return work;
  }
}
