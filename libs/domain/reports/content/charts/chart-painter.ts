import { type Chart } from './chart';
import { measureText } from './text-width';
import { CHART_FONT, DRAWN_SCALE, DRAWN_WIDTH } from './chart-theme';

/** Of all of DejaVu Sans: Latin, Greek, Cyrillic, Arabic, Hebrew and Armenian. */
const FONT_FILE = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');

type Svg = (chart: Chart) => string;

/** What draws, loaded with the first chart: it takes half a second and 90 MB, which only a process that draws should pay. */
let loading: Promise<Svg> | undefined;

/** Draws a chart as a picture, with nothing of the machine: no fonts but the one that is given. */
export async function renderChart(chart: Chart): Promise<Buffer> {
  loading ??= loadRenderer();
  const svg = (await loading)(chart);
  const { renderAsync } = await import('@resvg/resvg-js');
  // On a thread of its own: meanwhile this one is free.
  const image = await renderAsync(svg, {
    fitTo: { mode: 'zoom', value: DRAWN_SCALE },
    font: { loadSystemFonts: false, fontFiles: [FONT_FILE], defaultFontFamily: CHART_FONT },
  });
  return image.asPng();
}

async function loadRenderer(): Promise<Svg> {
  const [core, charts, components, renderers] = await Promise.all([
    import('echarts/core'),
    import('echarts/charts'),
    import('echarts/components'),
    import('echarts/renderers'),
  ]);
  const { GridComponent, LegendComponent, TitleComponent } = components;
  core.setPlatformAPI({ measureText });
  core.use([charts.BarChart, charts.LineChart, GridComponent, LegendComponent, TitleComponent, renderers.SVGRenderer]);
  return ({ option, height }) => {
    const drawing = core.init(null, null, { renderer: 'svg', ssr: true, width: DRAWN_WIDTH, height });
    try {
      drawing.setOption(option);
      return drawing.renderToSVGString();
    } finally {
      drawing.dispose();
    }
  };
}
