/* Search in pages that are opened as files: browsers start no worker there, so that its script runs in a hidden frame,
 * under the name by which the theme's script knows that it is in one. */
if (location.protocol === "file:") {
    window.IFrameWorker = window.Worker = class extends EventTarget {
        constructor(url) {
            super();
            const frame = document.createElement("iframe");
            frame.hidden = true;
            document.body.appendChild(frame);
            const inside = frame.contentWindow;
            const load = (path) => new Promise((done, failed) => {
                const script = inside.document.createElement("script");
                script.src = new URL(path, location.href);
                script.onload = done;
                script.onerror = failed;
                inside.document.body.appendChild(script);
            });
            inside.postMessage = (data) => {
                const event = new MessageEvent("message", { data });
                this.dispatchEvent(event);
                if (this.onmessage)
                    this.onmessage(event);
            };
            inside.importScripts = (...paths) =>
                paths.reduce((before, path) => before.then(() => load(path)), Promise.resolve());
            this.inside = inside;
            this.ready = load(url);
        }
        postMessage(data) {
            this.ready.then(() => this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data })));
        }
        terminate() {
            this.inside.frameElement.remove();
        }
    };
}
