import { type Chart } from './chart';
import { measureText } from './text-width';
import { CHART_FONT, DRAWN_SCALE, DRAWN_WIDTH } from './chart-theme';

/** DejaVu Sans covers Latin, Greek, Cyrillic, Arabic, Hebrew and Armenian. */
const FONT_FILE = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');

type Svg = (chart: Chart) => string;

/**
 * The chart library is loaded with the first chart: it takes half a second and 90 MB, which only a rendering process
 * should pay.
 */
let loading: Promise<Svg> | undefined;

/** Renders a chart as PNG. Uses only the given font, none of the machine. */
export async function renderChart(chart: Chart): Promise<Buffer> {
  loading ??= loadRenderer();
  const svg = (await loading)(chart);
  const { renderAsync } = await import('@resvg/resvg-js');
  // Runs on its own thread, so this one stays free.
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
