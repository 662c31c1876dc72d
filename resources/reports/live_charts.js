// Draws the charts of a report anew, so that a reader can point at them, zoom, hide curves and replay the runs. Reads the
// data that stand in the page, asks no host for anything, and leaves the printed page as it is.
"use strict";
(() => {
    const DASHES = [[], [7, 4], [2, 3], [7, 3, 2, 3]];
    const LEFT = 66, RIGHT = 14, TOP = 10, BOTTOM = 44, HEIGHT = 380, REPLAY_MS = 8000, MARKS_PER_CURVE = 8;
    const hidden = new Set(); // names of curves, in every chart of the page
    const charts = [];

    const make = (tag, attributes, text) => {
        const made = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes || {})) {
            made.setAttribute(name, value);
        }
        made.textContent = text || ""; // never markup: names are other people's text
        return made;
    };

    const numberText = (value) => {
        const size = Math.abs(value);
        if (size !== 0 && (size >= 1e6 || size < 1e-3)) {
            return String(Number(value.toPrecision(4)).toExponential());
        }
        return Number(value.toPrecision(4)).toLocaleString("en", { maximumSignificantDigits: 4 });
    };
    const axisText = (axis) => axis.unit ? axis.label + " (" + axis.unit + ")" : axis.label;

    /** An axis with its ends in the data's unit and its length in pixels. */
    class Scale {
        constructor(axis, low, high) {
            this.isLog = axis.log;
            this.isCount = axis.count;
            this.low = low;
            this.high = high;
        }
        part(value) { // 0 at the low end, 1 at the high end; NaN where a logarithm does not exist
            return this.isLog ? (Math.log(value) - Math.log(this.low)) / (Math.log(this.high) - Math.log(this.low))
                              : (value - this.low) / (this.high - this.low);
        }
        at(part) {
            return this.isLog ? this.low * Math.pow(this.high / this.low, part)
                              : this.low + part * (this.high - this.low);
        }
        ticks(most) {
            const found = [];
            if (this.isLog && this.high / this.low >= 10) {
                const first = Math.ceil(Math.log10(this.low) - 1e-9), last = Math.floor(Math.log10(this.high) + 1e-9);
                const step = Math.max(1, Math.ceil((last - first + 1) / most));
                for (let power = first; power <= last; power += step) {
                    found.push(Math.pow(10, power));
                }
                return found;
            }
            const rough = (this.high - this.low) / most, power = Math.pow(10, Math.floor(Math.log10(rough)));
            let step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
            step = this.isCount ? Math.max(1, Math.round(step)) : step;
            for (let i = Math.ceil(this.low / step - 1e-9); i * step <= this.high + step * 1e-9; ++i) {
                found.push(Number((i * step).toPrecision(12)));
            }
            return found;
        }
    }

    /** The place of the last x that is at most `value`; -1: there is none. */
    const lastUpTo = (xs, value) => {
        let low = 0, high = xs.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (xs[middle] <= value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    };

    class Chart {
        constructor(figure, data) {
            this.data = data;
            this.figure = figure;
            this.until = null; // of a replay: the x up to which curves are drawn
            this.cursor = null;
            this.build();
            this.showAll();
        }

        build() {
            const { words } = this.data;
            const picture = this.figure.querySelector("svg");
            this.box = make("div", { class: "live" });
            this.canvas = make("canvas", { tabindex: "0", role: "img" });
            this.canvas.setAttribute("aria-label", picture.getAttribute("aria-label"));
            this.readOut = make("div", { class: "readout" });
            this.legend = make("div", { class: "legend" });
            for (const series of this.data.series.filter((each) => each.legend && each.name)) {
                this.legend.append(this.entryOf(series));
            }
            const tools = make("div", { class: "tools" });
            if (this.data.replay) {
                this.play = make("button", { type: "button" }, words.replay);
                this.slider = make("input", { type: "range", min: "0", max: "1000", value: "1000" });
                this.slider.setAttribute("aria-label", words.replay);
                this.play.addEventListener("click", () => this.startOrPause());
                this.slider.addEventListener("input", () => { this.stop(); this.moveTo(this.slider.value / 1000); });
                tools.append(this.play, this.slider);
            }
            this.whole = make("button", { type: "button" }, words.all);
            this.whole.addEventListener("click", () => this.showAll());
            tools.append(this.whole, make("span", { class: "hint" }, words.hint));
            this.box.append(this.legend, this.canvas, this.readOut, tools);
            if (this.data.note) {
                this.box.append(make("div", { class: "hint" }, this.data.note));
            }
            picture.after(this.box);
            this.figure.classList.add("alive");
            this.listen();
        }

        entryOf(series) {
            const entry = make("button", { type: "button", "aria-pressed": "true" });
            const swatch = make("canvas", { width: "26", height: "12", "aria-hidden": "true" });
            const context = swatch.getContext("2d");
            this.setPen(context, series);
            if (series.line) {
                context.beginPath();
                context.moveTo(0, 6);
                context.lineTo(26, 6);
                context.stroke();
            }
            if (series.marker !== null) {
                this.drawMarker(context, series, 13, 6);
            }
            entry.append(swatch, make("span", {}, series.name));
            entry.dataset.name = series.name;
            entry.addEventListener("click", () => {
                if (!hidden.delete(series.name)) {
                    hidden.add(series.name);
                }
                charts.forEach((each) => each.draw());
            });
            return entry;
        }

        listen() {
            const place = (event) => {
                const box = this.canvas.getBoundingClientRect();
                return { x: event.clientX - box.left, y: event.clientY - box.top };
            };
            this.canvas.addEventListener("mousedown", (event) => { this.from = this.to = place(event); });
            this.canvas.addEventListener("mousemove", (event) => {
                const at = place(event);
                if (this.from) {
                    this.to = at;
                }
                this.cursor = this.x.at((at.x - LEFT) / this.plotWidth());
                this.draw();
            });
            window.addEventListener("mouseup", () => {
                if (this.from) {
                    this.zoomTo(this.from, this.to);
                    this.from = null;
                    this.draw();
                }
            });
            this.canvas.addEventListener("mouseleave", () => { this.cursor = null; this.draw(); });
            this.canvas.addEventListener("dblclick", () => this.showAll());
            this.canvas.addEventListener("wheel", (event) => {
                if (!event.ctrlKey) {
                    return; // the page scrolls
                }
                event.preventDefault();
                this.zoomBy(event.deltaY < 0 ? 0.8 : 1.25, (place(event).x - LEFT) / this.plotWidth());
            }, { passive: false });
            this.canvas.addEventListener("keydown", (event) => this.key(event));
            new ResizeObserver(() => this.draw()).observe(this.box);
        }

        key(event) {
            const moves = { "+": [0.1, 0.9], "-": [-0.125, 1.125], ArrowLeft: [-0.1, 0.9], ArrowRight: [0.1, 1.1] };
            if (event.key === "0" || event.key === "Escape") {
                this.showAll();
            } else if (moves[event.key]) {
                this.setX(...moves[event.key].map((part) => this.x.at(part)));
            } else {
                return;
            }
            event.preventDefault();
        }

        setX(low, high) {
            if (high > low && (!this.x.isLog || low > 0)) {
                this.x = new Scale(this.data.x, low, high);
            }
            this.draw();
        }
        zoomBy(factor, part) {
            this.setX(this.x.at(part * (1 - factor)), this.x.at(part + (1 - part) * factor));
        }
        zoomTo(from, to) {
            if (Math.abs(from.x - to.x) < 8 || Math.abs(from.y - to.y) < 8) {
                return;
            }
            const width = this.plotWidth(), height = this.plotHeight();
            const [left, right] = [from.x, to.x].sort((a, b) => a - b).map((at) => this.x.at((at - LEFT) / width));
            const [low, high] = [from.y, to.y].sort((a, b) => b - a).map((at) => this.y.at(1 - (at - TOP) / height));
            this.x = new Scale(this.data.x, left, right);
            this.y = new Scale(this.data.y, low, high);
        }
        showAll() {
            this.x = this.wholeAxis("x", ["x"]);
            this.y = this.wholeAxis("y", ["y", "low", "high"]);
            this.draw();
        }
        /** The axis over all curves that are shown, or with the ends that the report gave it. */
        wholeAxis(name, columns) {
            const axis = this.data[name];
            let low = Infinity, high = -Infinity;
            for (const series of this.shown()) {
                for (const column of columns) {
                    for (const value of series[column] || []) {
                        if (value !== null && (!axis.log || value > 0)) {
                            low = Math.min(low, value);
                            high = Math.max(high, value);
                        }
                    }
                }
            }
            if (!(low < high)) {
                [low, high] = low === high ? (axis.log ? [low / 2, high * 2] : [low - 1, high + 1]) : axis.log ? [1, 10] : [0, 1];
            }
            const room = name === "x" ? 0 : 0.04;
            const padded = new Scale(axis, low, high);
            const ends = [padded.at(-room), padded.at(1 + room)];
            return new Scale(axis, axis.min ?? ends[0], axis.max ?? ends[1]);
        }

        startOrPause() {
            if (this.playing) {
                this.stop();
                return;
            }
            const begun = performance.now();
            const from = this.slider.value >= 1000 ? 0 : this.slider.value / 1000;
            const next = (now) => {
                const part = from + (now - begun) / REPLAY_MS;
                this.moveTo(Math.min(1, part));
                this.playing = part < 1 ? requestAnimationFrame(next) : 0;
                this.play.textContent = this.playing ? this.data.words.pause : this.data.words.replay;
            };
            this.playing = requestAnimationFrame(next);
        }
        stop() {
            cancelAnimationFrame(this.playing || 0);
            this.playing = 0;
            this.play.textContent = this.data.words.replay;
        }
        moveTo(part) {
            this.slider.value = Math.round(1000 * part);
            const whole = this.wholeAxis("x", ["x"]);
            this.until = part < 1 ? whole.at(part) : null;
            this.draw();
        }

        shown() { return this.data.series.filter((each) => !hidden.has(each.name)); }
        plotWidth() { return Math.max(50, this.canvas.clientWidth - LEFT - RIGHT); }
        plotHeight() { return HEIGHT - TOP - BOTTOM; }
        left(value) { return LEFT + this.x.part(value) * this.plotWidth(); }
        top(value) { return TOP + (1 - this.y.part(value)) * this.plotHeight(); }

        setPen(context, series) {
            context.strokeStyle = context.fillStyle = series.color;
            context.globalAlpha = series.faint ? 0.42 : 1;
            context.lineWidth = series.faint ? 1 : Math.max(1.2, series.width);
            const own = series.stripes > 1 ? [14, 14 * (series.stripes - 1)] : DASHES[series.dash];
            context.setLineDash(own);
            context.lineDashOffset = series.stripes > 1 ? -14 * series.stripe : 0;
            context.lineJoin = "round";
        }

        drawMarker(context, series, x, y) {
            const size = 4, isHollow = Math.floor(series.marker / 7) % 2 === 1, shape = series.marker % 7;
            context.setLineDash([]);
            context.beginPath();
            if (shape === 0) {
                context.arc(x, y, size, 0, 2 * Math.PI);
            } else if (shape >= 5) {
                const [a, b] = shape === 5 ? [[-1, -1, 1, 1], [-1, 1, 1, -1]] : [[-1, 0, 1, 0], [0, -1, 0, 1]];
                for (const line of [a, b]) {
                    context.moveTo(x + line[0] * size, y + line[1] * size);
                    context.lineTo(x + line[2] * size, y + line[3] * size);
                }
                context.lineWidth = 2;
                context.stroke();
                return;
            } else {
                const corners = [[[-1, -1], [1, -1], [1, 1], [-1, 1]], [[0, -1], [1, 1], [-1, 1]],
                    [[0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]], [[0, 1], [1, -1], [-1, -1]]][shape - 1];
                corners.forEach(([a, b], i) => context[i ? "lineTo" : "moveTo"](x + a * size, y + b * size));
                context.closePath();
            }
            context.fillStyle = isHollow ? "#fff" : series.color;
            context.fill();
            context.strokeStyle = isHollow ? series.color : "#fff";
            context.lineWidth = 1;
            context.stroke();
        }

        draw() {
            const ratio = window.devicePixelRatio || 1, width = this.canvas.clientWidth;
            if (width === 0 || !this.x) {
                return;
            }
            this.canvas.width = Math.round(width * ratio);
            this.canvas.height = Math.round(HEIGHT * ratio);
            const context = this.canvas.getContext("2d");
            context.scale(ratio, ratio);
            context.font = "13px sans-serif";
            this.drawAxes(context);
            context.save();
            context.beginPath();
            context.rect(LEFT, TOP, this.plotWidth(), this.plotHeight());
            context.clip();
            this.drawMarks(context);
            this.shown().forEach((series) => this.drawSeries(context, series));
            this.drawCursor(context);
            context.restore();
            this.say();
        }

        drawAxes(context) {
            const right = LEFT + this.plotWidth(), bottom = TOP + this.plotHeight();
            context.fillStyle = "#333";
            context.strokeStyle = "#e2e2e2";
            context.textAlign = "center";
            context.textBaseline = "top";
            for (const tick of this.x.ticks(7)) {
                const at = this.left(tick);
                context.beginPath();
                context.moveTo(at, TOP);
                context.lineTo(at, bottom);
                context.stroke();
                context.fillText(numberText(tick), at, bottom + 5);
            }
            context.fillText(axisText(this.data.x), LEFT + this.plotWidth() / 2, bottom + 24);
            context.textAlign = "right";
            context.textBaseline = "middle";
            for (const tick of this.y.ticks(6)) {
                const at = this.top(tick);
                context.beginPath();
                context.moveTo(LEFT, at);
                context.lineTo(right, at);
                context.stroke();
                context.fillText(numberText(tick), LEFT - 6, at);
            }
            context.save();
            context.translate(13, TOP + this.plotHeight() / 2);
            context.rotate(-Math.PI / 2);
            context.textAlign = "center";
            context.fillText(axisText(this.data.y), 0, 0);
            context.restore();
            context.strokeStyle = "#777";
            context.strokeRect(LEFT, TOP, this.plotWidth(), this.plotHeight());
        }

        drawMarks(context) {
            context.textAlign = "left";
            context.textBaseline = "top";
            for (const mark of this.data.marks) {
                const at = this.left(mark.x);
                if (mark.until !== null) {
                    context.fillStyle = "#0000000f";
                    context.fillRect(at, TOP, this.left(mark.until) - at, this.plotHeight());
                }
                context.strokeStyle = "#999";
                context.setLineDash([3, 3]);
                context.beginPath();
                context.moveTo(at, TOP);
                context.lineTo(at, TOP + this.plotHeight());
                context.stroke();
                context.fillStyle = "#555";
                context.fillText(mark.text, at + 4, TOP + 4);
            }
        }

        drawSeries(context, series) {
            const last = this.until === null ? series.x.length : lastUpTo(series.x, this.until) + 1;
            context.save();
            if (series.low && series.high && !series.whiskers) {
                this.drawBand(context, series, last);
            }
            this.setPen(context, series);
            if (series.line) {
                this.traceLine(context, series.x, series.y, last);
                context.stroke();
            }
            if (series.whiskers && series.low) {
                context.setLineDash([]);
                for (let i = 0; i < last; ++i) {
                    const at = this.left(series.x[i]) + series.aside;
                    context.beginPath();
                    context.moveTo(at, this.top(series.low[i]));
                    context.lineTo(at, this.top(series.high[i]));
                    context.stroke();
                }
            }
            if (series.marker !== null) {
                const each = series.line && last > 2 * MARKS_PER_CURVE ? Math.ceil(last / MARKS_PER_CURVE) : 1;
                for (let i = 0; i < last; i += each) {
                    if (series.y[i] !== null) {
                        this.drawMarker(context, series, this.left(series.x[i]) + series.aside, this.top(series.y[i]));
                    }
                }
            }
            context.restore();
        }

        /** A path with a gap at each value that is none. */
        traceLine(context, xs, ys, last) {
            let isDown = false;
            context.beginPath();
            for (let i = 0; i < last; ++i) {
                const at = ys[i] === null ? NaN : this.top(ys[i]);
                if (Number.isFinite(at)) {
                    context[isDown ? "lineTo" : "moveTo"](this.left(xs[i]), at);
                }
                isDown = Number.isFinite(at);
            }
        }

        drawBand(context, series, last) {
            context.beginPath();
            for (let i = 0; i < last; ++i) {
                context[i ? "lineTo" : "moveTo"](this.left(series.x[i]), this.top(series.low[i]));
            }
            for (let i = last - 1; i >= 0; --i) {
                context.lineTo(this.left(series.x[i]), this.top(series.high[i]));
            }
            context.closePath();
            context.globalAlpha = 0.18;
            context.fillStyle = series.color;
            context.fill();
        }

        drawCursor(context) {
            context.setLineDash([]);
            if (this.from && this.to) {
                context.strokeStyle = "#333";
                context.strokeRect(this.from.x, this.from.y, this.to.x - this.from.x, this.to.y - this.from.y);
            } else if (this.cursor !== null) {
                context.strokeStyle = "#888";
                context.beginPath();
                context.moveTo(this.left(this.cursor), TOP);
                context.lineTo(this.left(this.cursor), TOP + this.plotHeight());
                context.stroke();
            }
        }

        /** The values under the mouse, and what of the axes is shown. */
        say() {
            for (const entry of this.legend.children) {
                entry.setAttribute("aria-pressed", String(!hidden.has(entry.dataset.name)));
            }
            this.box.dataset.shown = [this.x.low, this.x.high, this.y.low, this.y.high].map(numberText).join(" ");
            this.readOut.textContent = "";
            if (this.cursor === null) {
                return;
            }
            const named = this.shown().filter((each) => each.name && !each.faint);
            const at = named.map((each) => each.x[this.nearest(each.x, this.cursor)]).find((each) => each !== undefined);
            this.readOut.append(make("b", {}, axisText(this.data.x) + " " + numberText(at ?? this.cursor)));
            for (const series of named) {
                const i = this.nearest(series.x, this.cursor);
                if (i >= 0 && series.y[i] !== null) {
                    const between = series.low && series.low[i] !== null
                        ? " [" + numberText(series.low[i]) + ", " + numberText(series.high[i]) + "]" : "";
                    this.readOut.append(make("span", {}, series.name + " " + numberText(series.y[i]) + between));
                }
            }
        }
        /** The point nearest to `value`; -1: it lies outside the curve. */
        nearest(xs, value) {
            const i = lastUpTo(xs, value);
            const step = xs.length > 1 ? (xs[xs.length - 1] - xs[0]) / (xs.length - 1) : Infinity;
            if (i < 0 || i === xs.length - 1) {
                const end = i < 0 ? 0 : i;
                return xs.length > 0 && Math.abs(xs[end] - value) <= step ? end : -1;
            }
            return value - xs[i] <= xs[i + 1] - value ? i : i + 1;
        }
    }

    for (const holder of document.querySelectorAll("figure > script[type='application/json']")) {
        charts.push(new Chart(holder.parentElement, JSON.parse(holder.textContent)));
    }
})();
