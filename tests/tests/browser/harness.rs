//! A page in a browser: how the tests open it, act on it and read it.

use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use thirtyfour::prelude::*;
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tower_http::services::ServeDir;

/// How long anything on the page may take. Runs are quick; a busy machine is not.
const PATIENCE: Duration = Duration::from_secs(60);
const GLANCE: Duration = Duration::from_millis(50);

/// A page in a browser of its own. Both end with [`Page::close`], or with the test.
pub(crate) struct Page {
    pub(crate) browser: WebDriver,
    origin: String,
    _chromedriver: Child,
}

/// The banner at the end of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) ending: String,
    pub(crate) assurance: String,
    pub(crate) looks_normal: bool,
}

impl Ending {
    pub(crate) fn new(ending: &str, assurance: &str, looks_normal: bool) -> Self {
        Self { ending: ending.into(), assurance: assurance.into(), looks_normal }
    }
}

/// Where the page is opened from: its origin is what a server allows or refuses.
pub(crate) enum Host {
    Loopback,
    /// A name that leads to this machine too, and that no server was told of.
    Named(&'static str),
}

impl Page {
    pub(crate) async fn open() -> WebDriverResult<Self> {
        Self::open_from(Host::Loopback, (1_280, 900)).await
    }

    pub(crate) async fn open_from(host: Host, (width, height): (u32, u32)) -> WebDriverResult<Self> {
        let port = serve_page().await;
        let (chromedriver, driver) = start_chromedriver().await;
        let mut capabilities = DesiredCapabilities::chrome();
        for argument in [
            "--headless=new",
            // Chromium's sandbox doesn't start for root, as whom CI runs; the page under test is our own.
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--lang=en",
            &format!("--window-size={width},{height}"),
        ] {
            capabilities.add_arg(argument)?;
        }
        let browser = WebDriver::new(driver, capabilities).await?;
        let host = match host {
            Host::Loopback => "127.0.0.1",
            Host::Named(name) => name,
        };
        let origin = format!("http://{host}:{port}");
        let page = Self { browser, origin, _chromedriver: chromedriver };
        page.reload().await?;
        Ok(page)
    }

    pub(crate) async fn reload(&self) -> WebDriverResult<()> {
        self.browser.goto(format!("{}/", self.origin)).await?;
        self.find("composer").await?;
        Ok(())
    }

    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    pub(crate) async fn close(self) -> WebDriverResult<()> {
        self.browser.quit().await
    }

    /// The one element of that test id, once it is there.
    pub(crate) async fn find(&self, testid: &str) -> WebDriverResult<WebElement> {
        self.browser.query(By::Css(selector(testid))).wait(PATIENCE, GLANCE).first().await
    }

    /// All elements that match, now.
    pub(crate) async fn all(&self, css: &str) -> WebDriverResult<Vec<WebElement>> {
        self.browser.find_all(By::Css(css)).await
    }

    /// How many elements match, now.
    pub(crate) async fn count(&self, css: &str) -> WebDriverResult<usize> {
        Ok(self.all(css).await?.len())
    }

    pub(crate) async fn click(&self, testid: &str) -> WebDriverResult<()> {
        let element = self.find(testid).await?;
        element.wait_until().wait(PATIENCE, GLANCE).enabled().await?;
        // A click on the element itself, wherever it is scrolled to or whichever panel is folded over it.
        self.browser.execute("arguments[0].click()", vec![element.to_json()?]).await?;
        Ok(())
    }

    /// What the page says there.
    pub(crate) async fn text(&self, testid: &str) -> WebDriverResult<String> {
        self.text_of(&self.find(testid).await?).await
    }

    /// What an element says, folded or not.
    pub(crate) async fn text_of(&self, element: &WebElement) -> WebDriverResult<String> {
        Ok(element.prop("textContent").await?.unwrap_or_default())
    }

    /// Puts a value into a field or chooses an option, as a person's typing would.
    pub(crate) async fn set(&self, testid: &str, value: &str) -> WebDriverResult<()> {
        let element = self.find(testid).await?;
        let script = r#"
            const [field, value] = arguments;
            const prototype = Object.getPrototypeOf(field);
            Object.getOwnPropertyDescriptor(prototype, "value").set.call(field, value);
            field.dispatchEvent(new Event("input", { bubbles: true }));
            field.dispatchEvent(new Event("change", { bubbles: true }));
        "#;
        self.browser.execute(script, vec![element.to_json()?, value.into()]).await?;
        Ok(())
    }

    /// Connects to a server and chooses a model.
    pub(crate) async fn connect(&self, url: &str, model: &str) -> WebDriverResult<()> {
        self.set("server-kind", "server").await?;
        self.set("server-url", url).await?;
        self.click("server-connect").await?;
        let option = format!("[data-testid='model'] option[value='{model}']");
        self.browser.query(By::Css(option)).wait(PATIENCE, GLANCE).exists().await?;
        self.set("model", model).await
    }

    /// Asks, by hand: types and presses Enter.
    pub(crate) async fn ask(&self, request: &str) -> WebDriverResult<()> {
        let composer = self.find("composer").await?;
        composer.wait_until().wait(PATIENCE, GLANCE).enabled().await?;
        composer.send_keys(request).await?;
        composer.send_keys(Key::Enter).await
    }

    /// The ending of the run that was just asked for, once it is there.
    pub(crate) async fn ending(&self) -> WebDriverResult<Ending> {
        let banner = self.find("ending").await?;
        let attribute = async |name: &str| -> WebDriverResult<String> {
            Ok(banner.attr(name).await?.unwrap_or_default())
        };
        Ok(Ending {
            ending: attribute("data-ending").await?,
            assurance: attribute("data-assurance").await?,
            looks_normal: attribute("data-normal").await? == "true",
        })
    }

    /// The text of the last answer of the model.
    pub(crate) async fn answer(&self) -> WebDriverResult<String> {
        let entries = self.all("[data-testid='entry'][data-kind='assistant']").await?;
        self.text_of(entries.last().expect("an answer")).await
    }

    /// Waits until something matches.
    pub(crate) async fn wait_for(&self, css: &str) -> WebDriverResult<WebElement> {
        self.browser.query(By::Css(css.to_owned())).wait(PATIENCE, GLANCE).first().await
    }

    /// Waits until so many match.
    pub(crate) async fn wait_for_count(&self, css: &str, count: usize) -> WebDriverResult<()> {
        let start = std::time::Instant::now();
        while self.count(css).await? != count {
            assert!(start.elapsed() < PATIENCE, "{count} of {css}, not {}", self.count(css).await?);
            tokio::time::sleep(GLANCE).await;
        }
        Ok(())
    }

    /// A screenshot of the whole page, for people.
    pub(crate) async fn screenshot(&self, name: &str) -> WebDriverResult<()> {
        let folder = root().join("screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        self.browser.screenshot(&folder.join(format!("{name}.png"))).await
    }
}

pub(crate) fn selector(testid: &str) -> String {
    format!("[data-testid='{testid}']")
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Serves the built page on a free port for as long as the runtime lives.
async fn serve_page() -> u16 {
    let dist = std::env::var_os("BRIMLINE_DIST").expect("BRIMLINE_DIST: run `cargo xtask test browser`");
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let router = axum::Router::new().fallback_service(ServeDir::new(dist));
    tokio::spawn(async { axum::serve(listener, router).await.unwrap() });
    port
}

/// A driver of its own, which ends with the test.
async fn start_chromedriver() -> (Child, String) {
    let program = std::env::var_os("CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
    let port = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let mut command = Command::new(program);
    command.arg(format!("--port={port}")).stdout(Stdio::null()).kill_on_drop(true);
    let mut child = command.spawn().expect("chromedriver starts");
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.is_err() {
        assert_eq!(child.try_wait().unwrap(), None, "chromedriver ended at once");
        tokio::time::sleep(GLANCE).await;
    }
    (child, format!("http://127.0.0.1:{port}"))
}
