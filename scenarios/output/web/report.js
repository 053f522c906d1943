// Draws the figures of a report with Apache ECharts. Each <figure class="chart"> holds its data as
// JSON, written by scenarios/output/charts.cpp; what a colour or a width is, is known only here.
'use strict';
(() => {
  const narrow = () => window.innerWidth < 640;
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const encode = text => echarts.format.encodeHTML(String(text));
  const seriesColours = () => [0, 1, 2, 3, 4, 5].map(i => css('--s' + i));
  const dashes = ['solid', [9, 3], [2, 3], [8, 3, 2, 3]];

  const short = value => {
    if (value === 0) return '0';
    const size = Math.abs(value);
    for (const [unit, name] of [[1e9, ' G'], [1e6, ' M'], [1e4, ' k']]) {
      if (size >= unit) return +(value / (unit === 1e4 ? 1e3 : unit)).toPrecision(4) + name;
    }
    return String(+value.toPrecision(4));
  };
  const bytes = value => {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let i = 0;
    while (Math.abs(value) >= 1024 && i < units.length - 1) {
      value /= 1024;
      ++i;
    }
    return +value.toPrecision(4) + ' ' + units[i];
  };
  const texts = {number: short, bytes, percent: v => +(v * 100).toPrecision(4) + ' %'};

  // What all charts with axes share. Wheel zoom needs Ctrl, so that the page can still be scrolled.
  const frame = () => ({
    animation: false,
    color: seriesColours(),
    textStyle: {fontFamily: getComputedStyle(document.body).fontFamily, color: css('--ink')},
    tooltip: {
      confine: true,
      backgroundColor: css('--bg'),
      borderColor: css('--rule'),
      textStyle: {color: css('--ink'), fontSize: 12},
    },
    toolbox: {
      right: 0, top: 0, itemSize: 13, showTitle: false,
      iconStyle: {borderColor: css('--soft')},
      tooltip: {show: true, formatter: p => encode(p.title)},
      feature: {
        dataZoom: {title: {zoom: 'Zoom: drag over a part', back: 'Zoom out'}},
        restore: {title: 'Whole picture'},
        saveAsImage: {title: 'Save as picture', type: 'svg'},
      },
    },
    grid: {left: 6, right: 18, top: 30, bottom: 8, outerBoundsMode: 'same'},
  });
  const axisLook = () => ({
    axisLabel: {color: css('--soft'), hideOverlap: true},
    axisLine: {lineStyle: {color: css('--soft')}},
    axisTick: {lineStyle: {color: css('--soft')}},
    splitLine: {lineStyle: {color: css('--rule')}},
    nameTextStyle: {color: css('--ink')},
  });

  const axis = (spec, horizontal) => {
    const look = axisLook();
    look.axisLabel.formatter = texts[spec.text];
    look.name = spec.title;
    look.nameLocation = 'middle';
    look.nameGap = horizontal ? 24 : 8;
    look.scale = !spec.zero;
    if (horizontal) look.splitNumber = narrow() ? 4 : 6;
    if (spec.scale === 'log10') return {...look, type: 'log'};
    if (spec.scale === 'linear') return {...look, type: 'value'};
    // ECharts' own axis of powers of two has a tick every 1024-fold; this one counts exponents.
    look.axisLabel.formatter = power => texts[spec.text](2 ** power);
    return {...look, type: 'value', scale: true, minInterval: 1};
  };

  // Bytes in steps of a power of two: 8 MiB, not 7.63 MiB.
  const stepBytes = (look, values) => {
    const most = values.reduce((a, b) => Math.max(a, b), 0);
    if (most <= 0) return;
    look.interval = 2 ** Math.ceil(Math.log2(most / 5));
    look.max = Math.ceil(most / look.interval) * look.interval;
  };

  const points = (flat, scale) => {
    const out = [];
    for (let i = 0; i < flat.length; i += 2) {
      out.push([scale === 'log2' ? Math.log2(flat[i]) : flat[i], flat[i + 1]]);
    }
    return out;
  };

  // A legend below the tools takes as many rows as its names need; the picture starts under it.
  const addLegend = (option, names, width) => {
    const canvas = document.createElement('canvas').getContext('2d');
    canvas.font = '12px ' + option.textStyle.fontFamily;
    let rows = 1;
    let used = 0;
    for (const name of names) {
      const wide = canvas.measureText(name).width * 1.05 + 44;
      if (used > 0 && used + wide > width) {
        ++rows;
        used = 0;
      }
      used += wide;
    }
    option.legend = {left: 0, top: 28, width, data: names, itemHeight: 10, itemGap: 10,
                     textStyle: {color: css('--ink')}};
    option.grid.top += 22 * rows + 4;
    return 22 * rows;
  };

  const line = (data, width) => {
    const option = frame();
    option.tooltip.trigger = 'axis';
    option.tooltip.formatter = shown =>
        encode(texts[data.x.text](data.x.scale === 'log2' ? 2 ** shown[0].axisValue
                                                          : shown[0].axisValue)) + ' &nbsp; ' + encode(data.x.title) +
        shown.map(p => '<br>' + p.marker + encode(p.seriesName) + ' &nbsp;<b>' +
                       encode(texts[data.y.text](p.value[1])) + '</b>').join('');
    const zooms = {filterMode: 'none', zoomOnMouseWheel: 'ctrl', moveOnMouseMove: false,
                   preventDefaultMouseMove: false};
    option.dataZoom = [{...zooms, type: 'inside', xAxisIndex: 0}];
    const more = data.lines.length < 2 ? 0 : addLegend(option, data.lines.map(l => l.name), width);
    option.xAxis = axis(data.x, true);
    option.yAxis = axis(data.y, false);
    if (data.y.text === 'bytes' && data.y.scale === 'linear') {
      stepBytes(option.yAxis, data.lines.flatMap(row => row.xy.filter((v, i) => i % 2 === 1)));
    }
    option.series = data.lines.map((row, i) => ({
      name: row.name, type: 'line', data: points(row.xy, data.x.scale), showSymbol: row.marks,
      symbol: row.bound ? 'none' : ['circle', 'rect', 'triangle', 'diamond'][i % 4], symbolSize: 7,
      step: row.step ? 'end' : false,
      areaStyle: row.area ? {opacity: 0.35} : undefined,
      color: row.bound ? css('--soft') : row.reference ? css('--ink') : undefined,
      lineStyle: {width: row.bound ? 1 : 2,
                  type: row.bound ? dashes[i % 4] : row.reference ? [5, 4] : dashes[i % 4]},
      emphasis: {focus: 'series'},
    }));
    return [option, more + (narrow() ? 250 : 290)];
  };

  const bars = data => {
    const option = frame();
    option.toolbox.feature = {saveAsImage: option.toolbox.feature.saveAsImage};
    option.tooltip.formatter = p => encode(data.bars[p.dataIndex].label) + '<br><b>' +
        encode(data.bars[p.dataIndex].text) + '</b> &nbsp;' + encode(data.bars[p.dataIndex].detail);
    option.xAxis = {...axisLook(), type: 'value', min: 0, max: 1};
    option.xAxis.axisLabel.formatter = texts.percent;
    option.yAxis = {...axisLook(), type: 'category', inverse: true,
                    data: data.bars.map(bar => bar.label)};
    option.yAxis.axisLabel = {color: css('--ink'), interval: 0, width: narrow() ? 120 : 220,
                              overflow: 'truncate'};
    option.yAxis.splitLine = {show: false};
    const colours = seriesColours();
    option.series = [{
      type: 'bar', barMaxWidth: 16,
      data: data.bars.map(bar => ({
        value: bar.value, itemStyle: {color: colours[bar.series % 6]},
        label: bar.value < 0.25 ? {position: 'right', color: css('--ink')}
                                : {position: 'insideLeft', color: css('--bg')},
      })),
      label: {show: true, formatter: p => data.bars[p.dataIndex].text},
    }];
    return [option, 70 + 24 * data.bars.length];
  };

  const shades = () => [css('--pane'), css('--heat0'), css('--heat1'), css('--heat2')];

  const heat = data => {
    const option = frame();
    const text = texts[data.text];
    const most = data.most;
    option.tooltip.formatter = p => encode(data.rows[p.value[1]]) + '<br>' +
        encode(data.columns[p.value[0]]) + '<br><b>' + encode(text(p.value[2])) + '</b>';
    option.grid.bottom = 46;
    option.xAxis = {...axisLook(), type: 'category', data: data.columns, name: data.x,
                    nameLocation: 'middle', nameGap: 24};
    option.yAxis = {...axisLook(), type: 'category', inverse: true, data: data.rows};
    option.yAxis.axisLabel = {color: css('--ink'), width: narrow() ? 92 : 190,
                              overflow: 'truncate', hideOverlap: true};
    option.dataZoom = [{type: 'inside', zoomOnMouseWheel: 'ctrl', moveOnMouseMove: false,
                        preventDefaultMouseMove: false}];
    option.visualMap = {
      min: 0, max: most, calculable: true, orient: 'horizontal', left: 'center', bottom: 0,
      itemWidth: 12, itemHeight: narrow() ? 110 : 180, inRange: {color: shades()},
      textStyle: {color: css('--soft')}, formatter: text,
    };
    const cells = [];
    data.values.forEach((row, y) => row.forEach((value, x) => cells.push([x, y, value])));
    option.series = [{type: 'heatmap', data: cells, progressive: 0,
                      emphasis: {itemStyle: {borderColor: css('--ink'), borderWidth: 1}}}];
    return [option, 130 + Math.max(70, Math.min(17 * data.rows.length, 620))];
  };

  const graph = data => {
    const option = frame();
    option.toolbox.feature = {restore: option.toolbox.feature.restore,
                              saveAsImage: option.toolbox.feature.saveAsImage};
    option.tooltip.formatter = p => p.dataType === 'edge'
        ? encode(p.data.source) + '<br>waits for ' + encode(p.data.target) + '<br><b>' +
          encode(p.data.text) + '</b>'
        : encode(p.data.name);
    const hot = css('--s1');
    const calm = css('--s0');
    option.series = [{
      type: 'graph', layout: 'none', roam: true, scaleLimit: {min: 0.5, max: 12},
      left: '14%', right: '14%', top: 40, bottom: 24, preserveAspect: true,
      edgeSymbol: ['none', 'arrow'], edgeSymbolSize: 9, symbolSize: 12,
      labelLayout: {hideOverlap: true},
      label: {show: true, position: 'top', color: css('--ink'), fontSize: 11,
              backgroundColor: css('--bg'), padding: [1, 3],
              formatter: p => p.data.label},
      data: data.nodes.map(node => ({...node, itemStyle: {color: node.hot ? hot : calm}})),
      links: data.edges.map(edge => ({...edge, lineStyle: {
        color: edge.hot ? hot : css('--soft'), width: edge.hot ? 2.5 : 1, opacity: 0.9,
        curveness: 0.08}})),
      emphasis: {focus: 'adjacency'},
    }];
    return [option, narrow() ? 320 : 440];
  };

  // Spans of time in rows: [row, start, end, kind, text].
  const gantt = (data, width) => {
    const option = frame();
    const colours = seriesColours();
    const used = data.kinds.map((name, kind) => kind).filter(kind =>
        data.spans.some(span => span[3] === kind));
    const more = addLegend(option, used.map(kind => data.kinds[kind]), width);
    option.tooltip.formatter = p => encode(data.rows[p.value[0]]) + '<br>' +
        encode(data.kinds[p.value[3]] + ' ' + p.value[4]) + '<br>' +
        encode(short(p.value[1]) + ' to ' + short(p.value[2]) + ' us, ') + '<b>' +
        encode(short(p.value[2] - p.value[1]) + ' us') + '</b>';
    option.xAxis = axis({title: data.x, scale: 'linear', text: 'number', zero: false}, true);
    option.yAxis = {...axisLook(), type: 'category', inverse: true, data: data.rows};
    option.yAxis.axisLabel = {color: css('--ink'), width: narrow() ? 80 : 160,
                              overflow: 'truncate', hideOverlap: true};
    option.dataZoom = [{type: 'inside', filterMode: 'weakFilter', zoomOnMouseWheel: 'ctrl',
                        moveOnMouseMove: false, preventDefaultMouseMove: false}];
    option.series = used.map(kind => ({
      name: data.kinds[kind], type: 'custom', clip: true, color: colours[kind % 6],
      encode: {x: [1, 2], y: 0}, data: data.spans.filter(span => span[3] === kind),
      renderItem: (params, api) => {
        const from = api.coord([api.value(1), api.value(0)]);
        const to = api.coord([api.value(2), api.value(0)]);
        const tall = Math.max(2, Math.min(14, api.size([0, 1])[1] * 0.7));
        return {type: 'rect', style: {fill: colours[kind % 6]},
                shape: {x: from[0], y: from[1] - tall / 2, width: Math.max(1, to[0] - from[0]),
                        height: tall}};
      },
    }));
    return [option, more + 90 + Math.max(80, Math.min(20 * data.rows.length, 640))];
  };

  const kinds = {line, bars, heat, graph, gantt};
  const figures = [...document.querySelectorAll('figure.chart')].map(figure => ({
    plot: figure.querySelector('.plot'),
    data: JSON.parse(figure.querySelector('script').textContent),
    chart: null,
  }));

  const draw = item => {
    const [option, height] = kinds[item.data.kind](item.data, item.plot.clientWidth);
    item.plot.style.height = height + 'px';
    if (item.chart) {
      item.chart.resize({height});
    } else {
      item.chart = echarts.init(item.plot, null, {renderer: 'svg'});
    }
    item.chart.setOption(option, true);
  };
  const drawAll = () => figures.forEach(draw);

  drawAll();
  let width = window.innerWidth;
  window.addEventListener('resize', () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    drawAll();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  // On paper colours and width are others; the style sheet of print holds while this runs.
  window.addEventListener('beforeprint', () => figures.forEach(item => {
    item.plot.style.width = '640px';
    draw(item);
    item.chart.resize({width: 640});
  }));
  window.addEventListener('afterprint', () => figures.forEach(item => {
    item.plot.style.width = '';
    draw(item);
    item.chart.resize({width: 'auto'});
  }));
})();
